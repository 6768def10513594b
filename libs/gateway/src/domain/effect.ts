import type { Failure } from '@gp/contracts';
import { failureOf } from './failure.ts';
import type { EffectOperation, Truth } from './payment.ts';

/**
 * Whether the gateway has done what an operation wants. `lapsed`: the hold ended before it could be captured.
 * `captured`: the money was taken before it could be released.
 */
export type Effect =
  | { readonly is: 'present' | 'captured'; readonly amountMinor: bigint }
  | { readonly is: 'pending' | 'lapsed' }
  | { readonly is: 'absent' }
  | { readonly is: 'refused'; readonly failure: Failure };

/** What was asked for: the key it was sent with, and the amount. */
export type EffectOrder = { readonly idempotencyKey: string; readonly amountMinor: bigint };

/**
 * Reads the fate of one operation from the gateway's truth. A refusal counts only for the very key it was given
 * to: a later seq may well succeed.
 */
export function effectOf(operation: EffectOperation, truth: Truth, order: EffectOrder): Effect {
  const present = effectPresent(operation, truth, order);
  if (present) return present;
  const actions = truth.actions.filter((action) => action.operation === operation);
  if (actions.some(({ state }) => state === 'pending')) return { is: 'pending' };
  const own = ownAction(operation, truth, order);
  if (own?.state === 'failed') return { is: 'refused', failure: own.failure ?? failureOf('gateway_refused') };
  return outlook(operation, truth);
}

function effectPresent(operation: EffectOperation, truth: Truth, order: EffectOrder): Effect | undefined {
  const { capturedMinor, refundedMinor, amountMinor } = truth;
  switch (operation) {
    case 'capture':
      return capturedMinor > 0n ? { is: 'present', amountMinor: capturedMinor } : undefined;
    case 'void':
      return isReleased(truth) ? { is: 'present', amountMinor } : undefined;
    case 'refund': {
      // Our own one counts with the amount the gateway states, be it another than we asked for.
      const own = ownAction(operation, truth, order);
      if (own?.state === 'succeeded') return { is: 'present', amountMinor: own.amountMinor };
      // Refunds give back all that is left: when nothing is, it is done, by whomever.
      const isAllBack = capturedMinor > 0n && refundedMinor >= capturedMinor;
      return isAllBack ? { is: 'present', amountMinor: order.amountMinor } : undefined;
    }
  }
}

const ownAction = (operation: EffectOperation, { actions }: Truth, { idempotencyKey }: EffectOrder) =>
  actions.find((action) => action.operation === operation && action.reference === idempotencyKey);

function outlook(operation: EffectOperation, truth: Truth): Effect {
  const isCaptured = truth.capturedMinor > 0n;
  switch (operation) {
    case 'capture':
      // Captures are ordered of holds alone: where the card counts as refused, the hold is gone, and another card may follow.
      return { is: isReleased(truth) || truth.status === 'declined' ? 'lapsed' : 'absent' };
    case 'void':
      return isCaptured ? { is: 'captured', amountMinor: truth.capturedMinor } : { is: 'absent' };
    case 'refund':
      if (!isCaptured) return { is: 'refused', failure: failureOf('not_captured') };
      return truth.isDisputed ? { is: 'refused', failure: failureOf('disputed') } : { is: 'absent' };
  }
}

/** Nothing is held, nothing was taken, and nothing can be held any more. */
function isReleased({ status, isOpenToPayer }: Truth): boolean {
  return !isOpenToPayer && (status === 'voided' || status === 'lapsed' || status === 'declined');
}
