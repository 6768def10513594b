import { buildFailure } from './failure.ts';
import { buildResult, buildSuccess } from './call-result.ts';
import type { Before, Circumstances, ExternalAmounts, Finding } from './finding.ts';
import { isOpen, findNewest, type GatewayCall } from './gateway-call.ts';
import { hasSucceeded, observeEffect } from './observed-effect.ts';
import type { Truth } from './payment.ts';

/**
 * Finds what no operation of ours caused: captures and refunds that the merchant made in the gateway's dashboard, and those
 * of them that failed after the ledger was sent them. `rows` are all calls of the payment.
 */
export function findExternal(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  return [
    ...findExternalCapture(rows, truth, o.external),
    ...findBouncedCapture(rows, truth, o),
    ...findExternalRefund(rows, truth, o.external),
    ...findBouncedRefund(rows, truth, o),
  ];
}

/** A merchant's own capture in the gateway's dashboard. A void there shows as a lapsed hold. */
function findExternalCapture(
  rows: readonly GatewayCall[],
  { capturedMinor }: Truth,
  external: ExternalAmounts,
): Finding[] {
  if (findNewest(rows, 'capture') || capturedMinor === 0n || external.capture > 0n) return [];
  return [{ operation: 'capture', verdict: buildSuccess('capture', capturedMinor), row: null }];
}

/**
 * Finds an external capture that the ledger was sent and the card scheme took back (D6). Only where the gateway shows the
 * failure, and nothing was recorded during the query: a query from before the capture shows none either.
 */
function findBouncedCapture(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const amountMinor = o.external.capture;
  const isOld = o.externalBefore.capture !== amountMinor;
  const hasFailed = truth.actions.some(
    ({ operation, state }) => operation === 'capture' && state === 'failed',
  );
  if (findNewest(rows, 'capture') || amountMinor === 0n || truth.capturedMinor > 0n || isOld || !hasFailed)
    return [];
  const failure = buildFailure('reversed');
  return [
    { operation: 'capture', verdict: buildResult('failed', null, { amountMinor, failure }), row: null },
  ];
}

/** Reports the refunded amount beyond our own refunds, once: partial refunds add up. */
function findExternalRefund(
  rows: readonly GatewayCall[],
  truth: Truth,
  external: ExternalAmounts,
): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const own = refunds.reduce((total, row) => total + countOwnRefund(row, truth), 0n);
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
function findBouncedRefund(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const refunds = rows.filter(({ operation }) => operation === 'refund');
  const isOld = o.externalBefore.refund !== o.external.refund;
  if (truth.capturedMinor === 0n || isOld || !refunds.every((row) => isPlain(row, truth, o.before)))
    return [];
  const ours = new Set(refunds.map(({ idempotencyKey }) => idempotencyKey));
  const failedMinor = truth.actions
    .filter(({ operation, state }) => operation === 'refund' && state === 'failed')
    .filter(({ reference }) => reference === null || !ours.has(reference))
    .reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const own = refunds.reduce((total, row) => total + countOwnRefund(row, truth), 0n);
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

function countOwnRefund(row: GatewayCall, truth: Truth): bigint {
  if (row.state === 'succeeded') return row.resultMinor ?? row.amountMinor;
  const fate = observeEffect('refund', truth, row);
  // A try with a final answer counts only where the gateway did it all the same.
  const isDone = fate.is === 'present' && (isOpen(row) || hasSucceeded(row, truth));
  return isDone ? fate.amountMinor : 0n;
}
