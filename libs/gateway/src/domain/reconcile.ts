import { isOpen, findNewest, type GatewayCall } from './gateway-call.ts';
import { findExternal } from './external-operations.ts';
import type { Before, Circumstances, Finding } from './finding.ts';
import { hasSucceeded, observeEffect } from './observed-effect.ts';
import { buildFailure } from './failure.ts';
import type { EffectOperation, Truth } from './payment.ts';
import { buildSuccess, buildResult, decideFromEffect, type CallResult } from './call-result.ts';

/**
 * Compares the gateway's truth with our requests. It uses the truth, not the order of callbacks: late, repeated and lost
 * callbacks all lead to the same findings. Repeats are harmless, the ledger ignores known facts. A fact that would
 * mislead the ledger (a hold seen before our own void) is left out, and so is a hold that the ledger must know of, unless
 * the ledger sent the query.
 */
export function reconcile(rows: readonly GatewayCall[], truth: Truth, o: Circumstances): Finding[] {
  const isHoldReported = o.isAsked || !isHoldKnown(rows);
  return [
    ...compareHold(rows, truth, o.before).filter(
      ({ verdict: { status } }) => isHoldReported || status !== 'authorised',
    ),
    ...EFFECTS.flatMap((operation) => compareEffect(operation, rows, truth, o.before)),
    ...findExternal(rows, truth, o),
    ...compareDispute(truth, o.disputed),
  ];
}

const EFFECTS = ['capture', 'void', 'refund'] as const;

function compareHold(rows: readonly GatewayCall[], truth: Truth, before: Before): Finding[] {
  const row = findNewest(rows, 'authorise');
  const release = findNewest(rows, 'void');
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
      return found(buildResult('authenticating', 'doubt', { pspReference }));
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

function compareEffect(
  operation: EffectOperation,
  rows: readonly GatewayCall[],
  truth: Truth,
  before: Before,
): Finding[] {
  const row = findNewest(rows, operation);
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
  if (operation === 'refund' && isOfOthers(rows, row, truth)) return [];
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
    const row = findNewest(rows, operation);
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

/**
 * Returns whether the gateway refused our refund and shows no other one of ours: what came back since was refunded in the
 * gateway's own dashboard.
 */
function isOfOthers(rows: readonly GatewayCall[], row: GatewayCall, truth: Truth): boolean {
  return (
    row.state === 'declined' &&
    isAnswered(row, truth) &&
    !rows.some((own) => own.operation === 'refund' && hasSucceeded(own, truth))
  );
}

const isAnswered = ({ operation, idempotencyKey }: GatewayCall, { actions }: Truth): boolean =>
  actions.some((action) => action.operation === operation && action.reference === idempotencyKey);

function compareDispute({ capturedMinor }: Truth, disputed: boolean | null): Finding[] {
  if (disputed === null) return [];
  const known = disputed
    ? buildResult('disputed', null, { amountMinor: capturedMinor, failure: buildFailure('disputed') })
    : buildResult('undisputed', null);
  return [{ operation: 'dispute', verdict: known, row: null }];
}

/** The ledger orders a capture only of a hold that it was sent. */
function isHoldKnown(rows: readonly GatewayCall[]): boolean {
  return findNewest(rows, 'authorise')?.state === 'succeeded' || findNewest(rows, 'capture') !== null;
}
