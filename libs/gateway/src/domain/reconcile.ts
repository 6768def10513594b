import type { Outcome } from '@gp/contracts';
import type { AttemptState } from './attempt.machine.ts';
import type { Attempt, AttemptOperation } from './attempt.ts';
import { effectOf } from './effect.ts';
import { failureOf } from './failure.ts';
import type { EffectOperation, Truth } from './payment.ts';
import { done, verdict, verdictOfEffect, type Verdict } from './verdict.ts';

/** Something the ledger must hear, and the row it settles when it was our doing. */
export type Finding = {
  readonly operation: Outcome['operation'];
  readonly verdict: Verdict;
  /** Null: no operation of ours caused it. */
  readonly row: Attempt | null;
};

/** Amounts of a merchant's own doing that the ledger has heard of. */
export type Mirrored = { readonly capture: bigint; readonly refund: bigint };

/** Our rows as they were before the gateway was asked, by their ids: only of what was done by then a missing effect says anything. */
export type Before = ReadonlyMap<string, AttemptState>;

export type Circumstances = {
  /** The ledger wants to hear of the hold even when nothing is new. */
  readonly isAsked: boolean;
  readonly before: Before;
  readonly mirrored: Mirrored;
  /** The same as it was before the gateway was asked. */
  readonly mirroredBefore: Mirrored;
  /** Null: nothing is said about a dispute. */
  readonly disputed: boolean | null;
};

/**
 * Compares what the gateway knows with what we asked it for. By truth, not by order: late, doubled and lost
 * callbacks all lead here and to the same findings. Repeats are harmless, the ledger ignores what it knows; what
 * would mislead it (a hold seen before our own void) is left out, and so is a hold it must know of unless it asks.
 */
export function reconcile(rows: readonly Attempt[], truth: Truth, o: Circumstances): Finding[] {
  const isNews = o.isAsked || !isHoldKnown(rows);
  return [
    ...authorisation(rows, truth, o.before).filter(
      ({ verdict: { status } }) => isNews || status !== 'authorised',
    ),
    ...EFFECTS.flatMap((operation) => effect(operation, rows, truth, o.before)),
    ...externalCapture(rows, truth, o.mirrored),
    ...externalRefund(rows, truth, o.mirrored),
    ...bouncedRefund(rows, truth, o),
    ...dispute(truth, o.disputed),
  ];
}

const EFFECTS = ['capture', 'void', 'refund'] as const;

function authorisation(rows: readonly Attempt[], truth: Truth, before: Before): Finding[] {
  const row = newest(rows, 'authorise');
  const release = newest(rows, 'void');
  const { pspReference, amountMinor, currency, captureBefore } = truth;
  const found = (verdict: Verdict): Finding[] => [{ operation: 'authorise', verdict, row }];
  const ended = (code: Parameters<typeof failureOf>[0]): Finding[] =>
    found(verdict('lapsed', 'decline', { pspReference, failure: failureOf(code) }));
  switch (truth.status) {
    case 'authorised':
    case 'captured':
      // A look from before our release says nothing. One from after it does: the release had found no payment to end.
      return release?.state === 'succeeded' && before.get(release.id) !== 'succeeded'
        ? []
        : found(done('authorise', amountMinor, { pspReference, currency, captureBefore }));
    case 'authenticating':
      return found(verdict('authenticating', null, { pspReference }));
    case 'declined':
      return found(
        verdict('declined', 'decline', {
          pspReference,
          failure: truth.failure ?? failureOf('card_declined'),
        }),
      );
    case 'voided':
      return release ? [] : ended('hold_cancelled_at_gateway');
    case 'lapsed':
      return ended('hold_gone');
    case 'awaiting_payer':
    case 'processing':
      return [];
  }
}

function effect(
  operation: EffectOperation,
  rows: readonly Attempt[],
  truth: Truth,
  before: Before,
): Finding[] {
  const row = newest(rows, operation);
  if (!row) return [];
  const fate = effectOf(operation, truth, row);
  if (row.state === 'succeeded') {
    const isGone = operation !== 'void' && fate.is !== 'present' && before.get(row.id) === 'succeeded';
    // The scheme took its word back after the fact (D6, E6).
    const failure = fate.is === 'refused' ? fate.failure : failureOf('reversed');
    return isGone ? [{ operation, verdict: verdict('failed', 'reverse', { failure }), row }] : [];
  }
  if (fate.is === 'absent' || fate.is === 'pending') return [];
  if (fate.is === 'lapsed' && mayBeFromBefore(row, truth, before)) return [];
  // A dispute forbids refunds, but says nothing of one that was sent before it.
  if (operation === 'refund' && fate.is === 'refused' && !isAnswered(row, truth)) return [];
  return isOpen(row) || fate.is === 'present'
    ? [{ operation, verdict: verdictOfEffect(operation, fate), row }]
    : [];
}

/**
 * Whether the truth is too old or too new for what a row of ours says, so that only another look, once the row has its
 * answer, tells what is left of it: a success that came while we asked and is not to be seen may have been taken back since,
 * and a hold that is gone may have become a capture whose answer is on its way.
 */
export function isTooEarly(rows: readonly Attempt[], truth: Truth, before: Before): boolean {
  return (['capture', 'refund'] as const).some((operation) => {
    const row = newest(rows, operation);
    if (!row) return false;
    const fate = effectOf(operation, truth, row).is;
    if (row.state === 'succeeded')
      return before.get(row.id) !== 'succeeded' && fate !== 'present' && fate !== 'pending';
    return isOpen(row) && fate === 'lapsed' && mayBeFromBefore(row, truth, before);
  });
}

/** Unlike the other ends of a payment a refused card may be followed by a hold, so an old look at it says nothing. */
function mayBeFromBefore({ id, state }: Attempt, { status }: Truth, before: Before): boolean {
  return status === 'declined' && (state === 'started' || !before.has(id));
}

const isAnswered = ({ operation, idempotencyKey }: Attempt, { actions }: Truth): boolean =>
  actions.some((action) => action.operation === operation && action.reference === idempotencyKey);

/** A merchant's own hand in the gateway's dashboard. A void there shows as a lapsed hold. */
function externalCapture(rows: readonly Attempt[], { capturedMinor }: Truth, mirrored: Mirrored): Finding[] {
  if (newest(rows, 'capture') || capturedMinor === 0n || mirrored.capture > 0n) return [];
  return [{ operation: 'capture', verdict: done('capture', capturedMinor), row: null }];
}

/** Whatever went back beyond our own refunds, told once: partial refunds add up. */
function externalRefund(rows: readonly Attempt[], truth: Truth, mirrored: Mirrored): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const own = refunds.reduce((total, row) => total + ownRefund(row, truth), 0n);
  const isUnclear = refunds.some((row) => isOpen(row) && effectOf('refund', truth, row).is !== 'present');
  const extra = truth.refundedMinor - own - mirrored.refund;
  // Refund figures of a hold that was never captured only tell of its release.
  if (truth.capturedMinor === 0n || extra <= 0n || isUnclear) return [];
  return [{ operation: 'refund', verdict: done('refund', extra), row: null }];
}

/**
 * What the ledger was told of that the gateway had to take back: a refund in its dashboard that failed days later. Only
 * where the gateway shows such a failure, and nothing was recorded while it was asked: a look from before the refund
 * misses the same amount.
 */
function bouncedRefund(rows: readonly Attempt[], truth: Truth, o: Circumstances): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const isOld = o.mirroredBefore.refund !== o.mirrored.refund;
  if (truth.capturedMinor === 0n || isOld || !refunds.every((row) => isPlain(row, truth, o.before)))
    return [];
  const ours = new Set(refunds.map(({ idempotencyKey }) => idempotencyKey));
  const failedMinor = truth.actions
    .filter(({ operation, state }) => operation === 'refund' && state === 'failed')
    .filter(({ reference }) => reference === null || !ours.has(reference))
    .reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const own = refunds.reduce((total, row) => total + ownRefund(row, truth), 0n);
  const missing = own + o.mirrored.refund - truth.refundedMinor;
  if (missing <= 0n || missing > o.mirrored.refund || missing > failedMinor) return [];
  const failure = failureOf('reversed');
  return [
    { operation: 'refund', verdict: verdict('failed', null, { amountMinor: missing, failure }), row: null },
  ];
}

/** Whether the truth is of after the end of a refund of ours, and says the same of it. */
function isPlain({ id, state, idempotencyKey }: Attempt, { actions }: Truth, before: Before): boolean {
  const isDone = actions.some(
    ({ operation, reference, state: fate }) =>
      operation === 'refund' && reference === idempotencyKey && fate === 'succeeded',
  );
  return (
    state !== 'started' &&
    state !== 'unknown' &&
    before.get(id) === state &&
    isDone === (state === 'succeeded')
  );
}

function ownRefund(row: Attempt, truth: Truth): bigint {
  if (row.state === 'succeeded') return row.resultMinor ?? row.amountMinor;
  const fate = effectOf('refund', truth, row);
  // A try that was answered for good counts only where the gateway did it all the same.
  const isDone =
    fate.is === 'present' &&
    (isOpen(row) || truth.actions.some(({ reference }) => reference === row.idempotencyKey));
  return isDone ? fate.amountMinor : 0n;
}

function dispute({ capturedMinor }: Truth, disputed: boolean | null): Finding[] {
  if (disputed === null) return [];
  const known = disputed
    ? verdict('disputed', null, { amountMinor: capturedMinor, failure: failureOf('disputed') })
    : verdict('undisputed', null);
  return [{ operation: 'dispute', verdict: known, row: null }];
}

/** The ledger orders a capture only of a hold it has heard of. */
function isHoldKnown(rows: readonly Attempt[]): boolean {
  return newest(rows, 'authorise')?.state === 'succeeded' || newest(rows, 'capture') !== null;
}

const isOpen = ({ state }: Attempt): boolean => state === 'started' || state === 'unknown';

/** The row of an operation with the highest seq. */
export function newest(rows: readonly Attempt[], operation: AttemptOperation): Attempt | null {
  const own = rows.filter((row) => row.operation === operation);
  return own.reduce<Attempt | null>((best, row) => (best && best.seq > row.seq ? best : row), null);
}
