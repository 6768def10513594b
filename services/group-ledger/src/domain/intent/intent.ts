import type { PspCode } from '@gp/gateway-registry';
import type { Failure } from '@gp/contracts';
import type { Authorization } from '../authorization/authorization.ts';
import type { IntentAfter, IntentState, IntentTrigger } from './intent.machine.ts';

/** The hold that the group counts; every other hold of the same intent is voided. */
export type Hold = {
  readonly authorizationId: string;
  /** When the gateway lets go of it; a full hold window after it was placed where the gateway named no time. */
  readonly captureBeforeMs: number;
};

/** Fields that an intent has in every state. */
export type IntentCore = {
  readonly id: string;
  readonly customerId: string;
  /** Account frozen at reservation: later switches of the merchant's gateway do not touch this intent. */
  readonly pspCode: PspCode;
  readonly credentialVersion: number;
  /** What is held and captured: the slots and the tip. */
  readonly amountMinor: bigint;
  /** The part of the amount that the payer added to his slots; 0 for none. */
  readonly tipMinor: bigint;
  readonly slotIds: readonly string[];
  /** True while a gateway's answer about this intent is not known. */
  readonly unknown: boolean;
  readonly authorizations: readonly Authorization[];
  readonly declines: number;
  readonly renewals: number;
  readonly amountCapturedMinor: bigint;
  readonly amountRefundedMinor: bigint;
  readonly disputed: boolean;
  /** Names of the browser that opened it; none for the merchant's server, and before this was recorded. */
  readonly requesters: readonly string[];
  /** The name shown to whoever has the group's link while slots of this intent are held or captured; null without the payer's consent. */
  readonly shownName: string | null;
  /** The intent the same payer replaced this one with. */
  readonly supersededBy: string | null;
  readonly createdAtMs: number;
};

type Unheld = unknown;
type Failed = { readonly failure: Failure };
type Held = { readonly hold: Hold };
/** A withdrawn intent keeps the hold that is being released, if it ever had one. */
type Withdrawn = { readonly hold: Hold | null };

/** Fields that an intent has in one state only. */
type Details = {
  readonly created: Unheld;
  readonly processing: Unheld;
  readonly failed: Failed;
  readonly preauthorised: Held;
  readonly capture_pending: Held;
  readonly capture_failed: Held & Failed;
  readonly captured: Held;
  readonly refund_pending: Held;
  readonly refunded: Held;
  readonly void_pending: Withdrawn;
  readonly voided: Withdrawn;
};

/** An intent in one of these states. */
export type IntentIn<S extends IntentState> = {
  [State in S]: IntentCore & Details[State] & { readonly state: State };
}[S];

/** One payer's payment for one or more slots. */
export type Intent = IntentIn<IntentState>;

/** An intent that has, or had until it was withdrawn, a hold that the group counts. */
export type IntentWithHold = Extract<Intent, { readonly hold: unknown }> & Held;

/** Columns that a patch may replace without moving the intent to another state. */
export type IntentPatch = Partial<Omit<IntentCore, 'id'>>;

/** Fields that a move must supply for the state it leads to. */
export type MoveDetails<T extends IntentTrigger> = IntentPatch &
  (IntentAfter<T> extends 'failed' | 'capture_failed' ? Failed : unknown) &
  (T extends 'hold' ? Held : T extends 'confirm_capture' | 'mirror_capture' ? Partial<Held> : unknown);

export type IntentParts = IntentCore & {
  readonly state: IntentState;
  readonly hold?: Hold | null;
  readonly failure?: Failure | null;
};

/** Thrown for an intent whose hold or failure does not fit its state: a bug or a damaged row. */
export class ContradictoryIntent extends Error {
  constructor({ id, state }: IntentParts, problem: string) {
    super(`payment intent ${id} is ${state} ${problem}`);
    this.name = 'ContradictoryIntent';
  }
}

/** Builds an intent of its parts. Throws ContradictoryIntent where the state lacks a part, or cannot have one. */
export function buildIntent(parts: IntentParts): Intent {
  const { state, hold = null, failure = null, ...core } = parts;
  const absent = (name: string, part: object | null): void => {
    if (part) throw new ContradictoryIntent(parts, `and has a ${name}`);
  };
  const present = <P extends object>(name: string, part: P | null): P => {
    if (!part) throw new ContradictoryIntent(parts, `and has no ${name}`);
    return part;
  };
  if (state !== 'failed' && state !== 'capture_failed') absent('failure', failure);
  switch (state) {
    case 'created':
    case 'processing':
      absent('hold', hold);
      return { ...core, state };
    case 'failed':
      absent('hold', hold);
      return { ...core, state, failure: present('failure', failure) };
    case 'capture_failed':
      return { ...core, state, hold: present('hold', hold), failure: present('failure', failure) };
    case 'preauthorised':
    case 'capture_pending':
    case 'captured':
    case 'refund_pending':
    case 'refunded':
      return { ...core, state, hold: present('hold', hold) };
    case 'void_pending':
    case 'voided':
      return { ...core, state, hold };
  }
}

/** The intent in its next state, with what that state keeps of it and what the move brings along. */
export function moveTo(
  intent: Intent,
  state: IntentState,
  details: Partial<Omit<IntentParts, 'id' | 'state'>>,
): Intent {
  const { failure: _failure, hold = null, ...core }: IntentParts = intent;
  const isUnheld = state === 'failed' || state === 'processing' || state === 'created';
  return buildIntent({ ...core, hold: isUnheld ? null : hold, ...details, state });
}

export function isIntentIn<S extends IntentState>(
  intent: Intent,
  ...states: readonly S[]
): intent is Extract<Intent, IntentIn<S>> {
  return states.some((state) => state === intent.state);
}

/** A payment that has its slots: held, or captured in the gateway's own dashboard. */
export type CapturableIntent = IntentIn<'preauthorised' | 'captured'>;

export function isCapturable(intent: Intent): intent is CapturableIntent {
  return isIntentIn(intent, 'preauthorised', 'captured');
}

export function hasHold(intent: Intent): intent is IntentWithHold {
  return findHold(intent) !== null;
}

export function findHold(intent: Intent): Hold | null {
  return 'hold' in intent ? intent.hold : null;
}

/** Whether the hold that the group counts is the one of this authorization. */
export function isWinner(intent: Intent, authorizationId: string): boolean {
  return findHold(intent)?.authorizationId === authorizationId;
}

/** Whether the hold of this authorization became a charge that is booked: on the intent where it counts, else on itself. */
export function isChargeBooked(intent: Intent, { id, amountCapturedMinor }: Authorization): boolean {
  return isWinner(intent, id) ? intent.amountCapturedMinor > 0n : amountCapturedMinor > 0n;
}

/** Whether something is about a charge beside the one that counts; without an id it is about the one that counts. */
export function isAnotherAuthorization(
  intent: Intent,
  { authorizationId }: { readonly authorizationId?: string | null },
): boolean {
  return authorizationId !== undefined && authorizationId !== null && !isWinner(intent, authorizationId);
}

export function findFailure(intent: Intent): Failure | null {
  return 'failure' in intent ? intent.failure : null;
}
