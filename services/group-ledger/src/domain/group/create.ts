import type { Mode } from '@gp/contracts';
import { allocate, findCurrency, formatMinor, maxPaymentMinor } from '@gp/money';
import type { Context, GroupDecision } from '../decision.ts';
import { refuseMinimum, type CaptureMinimum } from './capture-minimum.ts';
import type { Group, Organiser, Slot } from './group.ts';
import { invalid, maxLifeMs } from './limits.ts';
import { grantRights, latestParam } from './organiser.ts';
import { isTipLimit } from './tips.ts';
import { timerKey } from '../timers/timer-key.ts';

const maxSlots = 30;
/** Totals stay exact in every JSON reader. */
const maxTotalMinor = BigInt(Number.MAX_SAFE_INTEGER);

export type Distribution =
  /** `unitMinor` above 1 for gateways that take only multiples (10 fils of KWD). */
  | { readonly type: 'equally'; readonly numberOfSlots: number; readonly unitMinor?: bigint }
  | { readonly type: 'custom'; readonly amountsMinor: readonly bigint[] };

export type NewGroup = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly totalMinor: bigint;
  readonly expiresAtMs: number;
  readonly distribution: Distribution;
  /** The wanted organiser; null or absent for a group without one. */
  readonly organiser?: Organiser | null;
  /** From what is held on the group is captured when its time runs out; null or absent to release everything then. */
  readonly captureMinimum?: CaptureMinimum | null;
  /** The most that each payment may add to its slots; null or absent where payers may add nothing. */
  readonly maxTipMinor?: bigint | null;
};

/**
 * Decides a new group: `open`, its slots `unassigned`, its expiry timer set. Rejects with `validation_error`,
 * naming the field. Amounts are integers here; the edge parses the decimal text.
 */
export function createGroup(command: NewGroup, context: Pick<Context, 'nowMs' | 'newId'>): GroupDecision {
  const expiryFault = checkExpiry(command.expiresAtMs, context.nowMs);
  if (expiryFault) return invalid('expires_at', expiryFault);
  if (command.totalMinor < 1n || command.totalMinor > maxTotalMinor) {
    return invalid('total_amount', 'is out of range');
  }
  const stepFault = checkStep(command);
  if (stepFault) return invalid('total_amount', stepFault);
  const amounts = distribute(command);
  if (typeof amounts === 'string') return invalid('distribution', amounts);

  const { distribution: _distribution, organiser: wanted, ...given } = command;
  const { captureMinimum = null, maxTipMinor = null } = command;
  if (maxTipMinor !== null && !isTipLimit(maxTipMinor)) return invalid('tips.max_amount', 'is out of range');
  const parts = { totalMinor: command.totalMinor, slotCount: amounts.length };
  const minimumFault = captureMinimum && refuseMinimum(captureMinimum, parts);
  if (minimumFault) return invalid(minimumFault.param, minimumFault.reason);
  const times = { expiresAtMs: command.expiresAtMs, createdAtMs: context.nowMs };
  const organiser = wanted ? grantRights(wanted, times) : null;
  if (typeof organiser === 'string') return invalid(latestParam, organiser);
  const group: Group = {
    ...given,
    organiser,
    captureMinimum,
    maxTipMinor,
    state: 'open',
    createdAtMs: context.nowMs,
    cancelledAtMs: null,
    expiredAtMs: null,
    captureStoppedAtMs: null,
    version: 1,
    sequence: 0,
    refundNumber: 0,
    slots: amounts.map((amountMinor, index) => newSlot(context.newId(), index + 1, amountMinor)),
    intents: [],
    captures: [],
    voids: [],
    refundLines: [],
  };
  return accept(group, context);
}

function accept(group: Group, context: Pick<Context, 'nowMs' | 'newId'>): GroupDecision {
  return {
    kind: 'accepted',
    next: group,
    events: [],
    postings: [],
    effects: [
      {
        kind: 'timer.set',
        key: timerKey.expiry(group.id),
        timer: 'group_expiry',
        dueAtMs: group.expiresAtMs,
        data: { intentId: null, attemptId: null, step: 0 },
      },
    ],
    transitions: [
      {
        id: context.newId(),
        entity: 'group',
        entityId: group.id,
        from: null,
        to: 'open',
        trigger: 'create',
        groupVersion: 1,
        decidedAtMs: context.nowMs,
      },
    ],
  };
}

function newSlot(id: string, sequenceNo: number, amountMinor: bigint): Slot {
  const free = { assignedCustomerId: null, reservedUntilMs: null, intentId: null };
  return { id, sequenceNo, amountMinor, state: 'unassigned', ...free };
}

function checkExpiry(expiresAtMs: number, nowMs: number): string | undefined {
  if (!(expiresAtMs > nowMs)) return 'expiry must be in the future';
  return expiresAtMs > nowMs + maxLifeMs ? 'expiry cannot be more than 7 days in the future' : undefined;
}

/** Equal shares must fit the gateway; of custom ones the merchant may pay some on another gateway later. */
function checkStep({ currency: code, totalMinor, distribution }: NewGroup): string | undefined {
  const unitMinor = distribution.type === 'equally' ? (distribution.unitMinor ?? 1n) : 1n;
  const currency = findCurrency(code);
  if (!currency || totalMinor % unitMinor === 0n) return undefined;
  return `must be a multiple of ${formatMinor(unitMinor, currency)} ${code}, the smallest step your payment gateway takes`;
}

/** The amounts by slot, or the reason why they cannot be. */
function distribute({ totalMinor, distribution }: NewGroup): readonly bigint[] | string {
  const count =
    distribution.type === 'equally' ? distribution.numberOfSlots : distribution.amountsMinor.length;
  if (!Number.isInteger(count) || count < 1 || count > maxSlots) return `must have 1 to ${maxSlots} slots`;
  const amounts =
    distribution.type === 'equally'
      ? allocate(totalMinor, count, distribution.unitMinor ?? 1n)
      : distribution.amountsMinor;
  if (!amounts) return 'total_amount cannot be divided into that many slots';
  if (amounts.some((amount) => amount < 1n || amount > maxPaymentMinor))
    return 'a slot amount is out of range';
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  return sum === totalMinor ? amounts : 'sum of slot amounts must equal total amount';
}
