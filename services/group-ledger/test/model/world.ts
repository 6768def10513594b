import { forEachGateway } from '@gp/gateway-registry';
import {
  createGroup,
  defaultPolicy,
  type CaptureMinimum,
  type Command,
  type Context,
  type GroupDecision,
  type Group,
  type Organiser,
  type Policy,
  type TimerKind,
} from '../../src/domain/index.ts';

/** Receives a world that can follow, and the name of what led to it. */
export type Visit = (name: string, next: World) => void;
export type Decide = (group: Group, command: Command, context: Context) => GroupDecision;

/** The gateway's real state of one authorization, which the ledger may not know. */
export type Truth = {
  readonly authorizationId: string;
  readonly intentId: string;
  /** `open`: the payer may still pay; `none`: the gateway never saw it. */
  readonly status: 'none' | 'open' | 'authorised' | 'declined' | 'ended' | 'captured';
  readonly captureBeforeMs: number;
  /** Orders that had an effect: more than one capture or refund is money lost. */
  readonly captures: readonly string[];
  readonly refunds: readonly string[];
};

/** An order on its way to the gateway. `isRetried`: the adapter died after the effect and asks first now. */
export type Call = {
  readonly operation: 'authorise' | 'capture' | 'void' | 'refund';
  readonly intentId: string;
  readonly authorizationId: string;
  readonly operationId: string;
  readonly seq: number;
  readonly notAfterMs: number;
  readonly unlessAuthorised: boolean;
  readonly isRetried: boolean;
};

export const statuses = [
  'authorised',
  'authenticating',
  'declined',
  'absent',
  'lapsed',
  'captured',
  'voided',
  'refunded',
  'already_authorised',
  'retryable',
  'unknown',
  'failed',
  'reversed',
] as const;

/** An answer or callback on its way to the ledger. `isRepeat`: it was delivered once and may come again. */
export type Outcome = {
  readonly operation: Call['operation'];
  readonly intentId: string;
  readonly authorizationId: string;
  readonly operationId: string;
  readonly status: (typeof statuses)[number];
  readonly isRepeat: boolean;
};

export type Timer = {
  readonly key: string;
  readonly timer: TimerKind;
  readonly intentId: string | null;
  readonly authorizationId: string | null;
};

/** Everything there is: the ledger's group, the gateway's books, what is on its way between them, and the time. */
export type World = {
  readonly group: Group;
  readonly truths: readonly Truth[];
  readonly calls: readonly Call[];
  readonly outcomes: readonly Outcome[];
  readonly timers: readonly Timer[];
  /** Index into `instants`. */
  readonly clock: number;
  /** Bits of group events announced so far: each may come once in this model. */
  readonly announced: number;
  /** Faults and repeated messages so far. */
  readonly faults: number;
  readonly repeats: number;
  /** Captures that the scheme took back. */
  readonly reversals: number;
  /** Captures and refunds that the merchant made at the gateway. */
  readonly externals: number;
  /** Next number for an id; not part of the state's identity. */
  readonly ids: number;
};

/** How far the model goes. Everything inside these bounds is explored. */
export type Bounds = {
  readonly maxIntents: number;
  readonly maxAttempts: number;
  readonly maxRefunds: number;
  /** Answers and callbacks on their way at once. */
  readonly maxOutcomes: number;
  /** Repeated messages, and timeouts, crashes, losses and refusals, on any one way. */
  readonly maxRepeats: number;
  readonly maxFaults: number;
  /** Captures the scheme takes back on gateway_a, where the payer can then pay once more. */
  readonly maxReversals: number;
  /** Captures of what is to be released, and refunds of these, that the merchant makes at the gateway. */
  readonly maxExternals: number;
  readonly canCancel: boolean;
  /** The group's organiser, who extends and cancels beside the merchant, who extends further; null for none. */
  readonly organiser: Organiser | null;
  /** From what is held on the group is captured when its time runs out; null to release everything then. */
  readonly captureMinimum: CaptureMinimum | null;
  /** What each payer may add to the slots; null where payers may add nothing. */
  readonly maxTipMinor: bigint | null;
  /** Whether banks ask their customers (3-D Secure). */
  readonly hasAuthentication: boolean;
};

/**
 * Instants that matter: start, early holds about to die, early holds dead, expiry, late holds about to die, late
 * holds dead. So a hold may die before or after the group expires.
 */
export const instants = [1, 5_000, 6_000, 10_000, 20_000, 21_000] as const;
export const earlyDeathMs = 6_000;
export const lateDeathMs = 21_000;
export const neverMs = 99_000;
const expiresAtMs = 10_000;
/** The latest expiry that the organiser's extensions may reach, and the merchant's later one. */
export const latestExpiryMs = 20_000;
export const merchantExpiryMs = 21_000;

/** The real policy with times that fit the instants; schedules do not matter, any timer may fire at any time. */
export const modelPolicy: Policy = {
  ...defaultPolicy,
  reservationTtlMs: forEachGateway(() => 100),
  rearmMs: 0,
  maxRenewals: 1,
  maxDeclines: 2,
  holdMarginMs: 1_000,
  captureMarginMs: 1_000,
};

/** The operation id of what the merchant did at the gateway. */
export const OUTSIDE = 'outside';

export const slotMinor = 10n;

/** One open group of two slots, before anybody came. */
export function firstWorld({
  organiser,
  captureMinimum,
  maxTipMinor,
}: Pick<Bounds, 'organiser' | 'captureMinimum' | 'maxTipMinor'>): World {
  let ids = 0;
  const newId = () => formatId(ids++);
  const created = createGroup(
    {
      id: 'group',
      merchantId: 'merchant',
      mode: 'test',
      currency: 'EUR',
      totalMinor: 2n * slotMinor,
      expiresAtMs,
      distribution: { type: 'equally', numberOfSlots: 2 },
      organiser,
      captureMinimum,
      maxTipMinor,
    },
    { nowMs: 1, newId },
  );
  if (created.kind !== 'accepted') throw new Error('the model starts with a bad group');
  const timers: Timer[] = [
    { key: 'expiry:group', timer: 'group_expiry', intentId: null, authorizationId: null },
  ];
  return {
    group: created.next,
    truths: [],
    calls: [],
    outcomes: [],
    timers,
    clock: 0,
    announced: 0,
    faults: 0,
    repeats: 0,
    reversals: 0,
    externals: 0,
    ids,
  };
}

const table: string[] = [];

/** The n-th id; made once, because there are hundreds of millions of uses. */
export function formatId(n: number): string {
  return (table[n] ??= `${n}`);
}

export function computeNow(world: World): number {
  return instants[world.clock] ?? 0;
}
