import type { Outcome } from '@gp/contracts';
import type { CallState } from './gateway-call.machine.ts';
import type { GatewayCall, CallOperation } from './gateway-call.ts';
import { observeEffect } from './observed-effect.ts';
import { buildFailure } from './failure.ts';
import type { EffectOperation, Truth } from './payment.ts';
import { buildSuccess, buildResult, decideFromEffect, type CallResult } from './call-result.ts';

/** A fact that must be sent to the ledger, and the row it settles when it was our operation. */
export type Finding = {
  readonly operation: Outcome['operation'];
  readonly verdict: CallResult;
  /** Null: no operation of ours caused it. */
  readonly row: GatewayCall | null;
};

/** Amounts of external operations that the ledger has been sent. */
export type ExternalAmounts = { readonly capture: bigint; readonly refund: bigint };

/**
 * Our rows as they were before the gateway was queried, by their ids: a missing effect is evidence only for rows
 * that were done by then.
 */
export type Before = ReadonlyMap<string, CallState>;

export type Circumstances = {
  /** The ledger needs the state of the hold even when nothing has changed. */
  readonly isAsked: boolean;
  readonly before: Before;
  readonly external: ExternalAmounts;
  /** The same as it was before the gateway was queried. */
  readonly externalBefore: ExternalAmounts;
  /** Null: no statement about a dispute. */
  readonly disputed: boolean | null;
};

/**
 * Compares the gateway's truth with our requests. It uses the truth, not the order of callbacks: late, repeated and lost
 * callbacks all lead to the same findings. Repeats are harmless, the ledger ignores known facts. A fact that would
 * mislead the ledger (a hold seen before our own void) is left out, and so is a hold that the ledger must know of, unless
 * the ledger sent the query.
 */
export function reconcile(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const isHoldReported = o.isAsked || !isHoldKnown(rows);
  return [
    ...authorisation(rows, truth, o.before).filter(
      ({ verdict: { status } }) => isHoldReported || status !== 'authorised',
    ),
    ...EFFECTS.flatMap((operation) => effect(operation, rows, truth, o.before)),
    ...externalCapture(rows, truth, o.external),
    ...bouncedCapture(rows, truth, o),
    ...externalRefund(rows, truth, o.external),
    ...bouncedRefund(rows, truth, o),
    ...dispute(truth, o.disputed),
  ];
}

const EFFECTS = ['capture', 'void', 'refund'] as const;

function authorisation(rows: readonly GatewayCall[], truth: Truth, before: Before): Finding[] {
  const row = newest(rows, 'authorise');
  const release = newest(rows, 'void');
  const { pspReference, amountMinor, currency, captureBefore } = truth;
  const found = (verdict: CallResult): Finding[] => [{ operation: 'authorise', verdict, row }];
  const ended = (code: Parameters<typeof buildFailure>[0]): Finding[] =>
    found(buildResult('lapsed', 'decline', { pspReference, failure: buildFailure(code) }));
  switch (truth.status) {
    case 'authorised':
    case 'captured':
      // A query from before our release proves nothing. One from after it does: the release had found no payment
      // to end.
      return release?.state === 'succeeded' && before.get(release.id) !== 'succeeded'
        ? []
        : found(buildSuccess('authorise', amountMinor, { pspReference, currency, captureBefore }));
    case 'authenticating':
      return found(buildResult('authenticating', null, { pspReference }));
    case 'declined':
      return found(
        buildResult('declined', 'decline', {
          pspReference,
          failure: truth.failure ?? buildFailure('card_declined'),
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
  rows: readonly GatewayCall[],
  truth: Truth,
  before: Before,
): Finding[] {
  const row = newest(rows, operation);
  if (!row) return [];
  const fate = observeEffect(operation, truth, row);
  if (row.state === 'succeeded') {
    const isGone = operation !== 'void' && fate.is !== 'present' && before.get(row.id) === 'succeeded';
    // The card scheme reversed it afterwards (D6, E6).
    const failure = fate.is === 'refused' ? fate.failure : buildFailure('reversed');
    return isGone ? [{ operation, verdict: buildResult('failed', 'reverse', { failure }), row }] : [];
  }
  if (fate.is === 'absent' || fate.is === 'pending') return [];
  if (fate.is === 'lapsed' && mayBeFromBefore(row, truth, before)) return [];
  // A dispute forbids refunds, but does not decide one that was sent before it.
  if (operation === 'refund' && fate.is === 'refused' && !isAnswered(row, truth)) return [];
  return isOpen(row) || fate.is === 'present'
    ? [{ operation, verdict: decideFromEffect(operation, fate), row }]
    : [];
}

/**
 * Returns whether the truth is too old or too new for the state of a row, so that only another query, once the
 * row has its answer, can decide: a success that came during the query and is not visible may have been reversed
 * since, and a hold that is gone may have become a capture whose answer is on its way.
 */
export function isTooEarly(rows: readonly GatewayCall[], truth: Truth, before: Before): boolean {
  return (['capture', 'refund'] as const).some((operation) => {
    const row = newest(rows, operation);
    if (!row) return false;
    const fate = observeEffect(operation, truth, row).is;
    if (row.state === 'succeeded')
      return before.get(row.id) !== 'succeeded' && fate !== 'present' && fate !== 'pending';
    return isOpen(row) && fate === 'lapsed' && mayBeFromBefore(row, truth, before);
  });
}

/**
 * Unlike the other ends of a payment, a hold can follow a refused card, so an old query that shows one proves
 * nothing.
 */
function mayBeFromBefore({ id, state }: GatewayCall, { status }: Truth, before: Before): boolean {
  return status === 'declined' && (state === 'started' || !before.has(id));
}

const isAnswered = ({ operation, idempotencyKey }: GatewayCall, { actions }: Truth): boolean =>
  actions.some((action) => action.operation === operation && action.reference === idempotencyKey);

/** A merchant's own capture in the gateway's dashboard. A void there shows as a lapsed hold. */
function externalCapture(
  rows: readonly GatewayCall[],
  { capturedMinor }: Truth,
  external: ExternalAmounts,
): Finding[] {
  if (newest(rows, 'capture') || capturedMinor === 0n || external.capture > 0n) return [];
  return [{ operation: 'capture', verdict: buildSuccess('capture', capturedMinor), row: null }];
}

/**
 * Finds an external capture that the ledger was sent and the card scheme took back (D6). Only where the gateway shows the
 * failure, and nothing was recorded during the query: a query from before the capture shows none either.
 */
function bouncedCapture(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const amountMinor = o.external.capture;
  const isOld = o.externalBefore.capture !== amountMinor;
  const hasFailed = truth.actions.some(
    ({ operation, state }) => operation === 'capture' && state === 'failed',
  );
  if (newest(rows, 'capture') || amountMinor === 0n || truth.capturedMinor > 0n || isOld || !hasFailed)
    return [];
  const failure = buildFailure('reversed');
  return [
    { operation: 'capture', verdict: buildResult('failed', null, { amountMinor, failure }), row: null },
  ];
}

/** Reports the refunded amount beyond our own refunds, once: partial refunds add up. */
function externalRefund(rows: readonly GatewayCall[], truth: Truth, external: ExternalAmounts): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const own = refunds.reduce((total, row) => total + ownRefund(row, truth), 0n);
  const isUnclear = refunds.some(
    (row) => isOpen(row) && observeEffect('refund', truth, row).is !== 'present',
  );
  const extra = truth.refundedMinor - own - external.refund;
  // Refund figures of a hold that was never captured only show its release.
  if (truth.capturedMinor === 0n || extra <= 0n || isUnclear) return [];
  return [{ operation: 'refund', verdict: buildSuccess('refund', extra), row: null }];
}

/**
 * Finds an external refund that the ledger was sent and the gateway had to reverse: it failed days later. Only
 * where the gateway shows such a failure, and nothing was recorded during the query: a query from before the
 * refund misses the same amount.
 */
function bouncedRefund(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const isOld = o.externalBefore.refund !== o.external.refund;
  if (truth.capturedMinor === 0n || isOld || !refunds.every((row) => isPlain(row, truth, o.before)))
    return [];
  const ours = new Set(refunds.map(({ idempotencyKey }) => idempotencyKey));
  const failedMinor = truth.actions
    .filter(({ operation, state }) => operation === 'refund' && state === 'failed')
    .filter(({ reference }) => reference === null || !ours.has(reference))
    .reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const own = refunds.reduce((total, row) => total + ownRefund(row, truth), 0n);
  const missing = own + o.external.refund - truth.refundedMinor;
  if (missing <= 0n || missing > o.external.refund || missing > failedMinor) return [];
  const failure = buildFailure('reversed');
  return [
    {
      operation: 'refund',
      verdict: buildResult('failed', null, { amountMinor: missing, failure }),
      row: null,
    },
  ];
}

/** Returns whether the truth is from after the end of a refund of ours, and agrees with its result. */
function isPlain({ id, state, idempotencyKey }: GatewayCall, { actions }: Truth, before: Before): boolean {
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

function ownRefund(row: GatewayCall, truth: Truth): bigint {
  if (row.state === 'succeeded') return row.resultMinor ?? row.amountMinor;
  const fate = observeEffect('refund', truth, row);
  // A try with a final answer counts only where the gateway did it all the same.
  const isDone =
    fate.is === 'present' &&
    (isOpen(row) || truth.actions.some(({ reference }) => reference === row.idempotencyKey));
  return isDone ? fate.amountMinor : 0n;
}

function dispute({ capturedMinor }: Truth, disputed: boolean | null): Finding[] {
  if (disputed === null) return [];
  const known = disputed
    ? buildResult('disputed', null, { amountMinor: capturedMinor, failure: buildFailure('disputed') })
    : buildResult('undisputed', null);
  return [{ operation: 'dispute', verdict: known, row: null }];
}

/** The ledger orders a capture only of a hold that it was sent. */
function isHoldKnown(rows: readonly GatewayCall[]): boolean {
  return newest(rows, 'authorise')?.state === 'succeeded' || newest(rows, 'capture') !== null;
}

const isOpen = ({ state }: GatewayCall): boolean => state === 'started' || state === 'unknown';

/** Returns the row of an operation with the highest seq. */
export function newest(rows: readonly GatewayCall[], operation: CallOperation): GatewayCall | null {
  const own = rows.filter((row) => row.operation === operation);
  return own.reduce<GatewayCall | null>((best, row) => (best && best.seq > row.seq ? best : row), null);
}
