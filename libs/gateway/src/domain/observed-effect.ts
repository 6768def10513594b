import type { Failure } from '@gp/contracts';
import { buildFailure } from './failure.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { EffectOperation, Truth } from './payment.ts';

/**
 * The effect of an operation that the gateway's books show. `lapsed`: the hold ended before it could be captured.
 * `captured`: the money was taken before it could be released.
 */
export type ObservedEffect =
  | { readonly is: 'present' | 'captured'; readonly amountMinor: bigint }
  | { readonly is: 'pending' | 'lapsed' }
  | { readonly is: 'absent' }
  | { readonly is: 'refused'; readonly failure: Failure };

/** An operation as it was sent: its idempotency key and its amount, in minor units. */
export type SentOperation = { readonly idempotencyKey: string; readonly amountMinor: bigint };

/**
 * Finds the effect of one operation in the gateway's truth. A refusal counts only for the idempotency key that it answered,
 * because a later seq may succeed.
 */
export function observeEffect(
  operation: EffectOperation,
  truth: Truth,
  order: SentOperation,
): ObservedEffect {
  const present = effectPresent(operation, truth, order);
  if (present) return present;
  const actions = truth.actions.filter((action) => action.operation === operation);
  if (actions.some(({ state }) => state === 'pending')) return { is: 'pending' };
  const own = ownAction(operation, truth, order);
  if (own?.state === 'failed')
    return { is: 'refused', failure: own.failure ?? buildFailure('gateway_refused') };
  return outlook(operation, truth);
}

function effectPresent(
  operation: EffectOperation,
  truth: Truth,
  order: SentOperation,
): ObservedEffect | undefined {
  const { capturedMinor, refundedMinor, amountMinor } = truth;
  switch (operation) {
    case 'capture':
      return capturedMinor > 0n ? { is: 'present', amountMinor: capturedMinor } : undefined;
    case 'void':
      return isReleased(truth) ? { is: 'present', amountMinor } : undefined;
    case 'refund': {
      // Our own refund counts with the amount that the gateway states, even if we asked for another.
      const own = ownAction(operation, truth, order);
      if (own?.state === 'succeeded') return { is: 'present', amountMinor: own.amountMinor };
      // A refund returns all that is left. When nothing is left, it is done, even if another refund returned the money.
      const isAllBack = capturedMinor > 0n && refundedMinor >= capturedMinor;
      return isAllBack ? { is: 'present', amountMinor: order.amountMinor } : undefined;
    }
  }
}

/** Returns whether the gateway's books show that this very call succeeded. */
export const hasSucceeded = (
  call: SentOperation & { readonly operation: GatewayCall['operation'] },
  truth: Truth,
): boolean =>
  truth.actions.some(
    ({ operation, reference, state }) =>
      operation === call.operation && reference === call.idempotencyKey && state === 'succeeded',
  );

const ownAction = (operation: EffectOperation, { actions }: Truth, { idempotencyKey }: SentOperation) =>
  actions.find((action) => action.operation === operation && action.reference === idempotencyKey);

function outlook(operation: EffectOperation, truth: Truth): ObservedEffect {
  const isCaptured = truth.capturedMinor > 0n;
  switch (operation) {
    case 'capture':
      // Only existing holds are captured: where the card counts as refused, the hold is gone, and another card
      // may follow.
      return { is: isReleased(truth) || truth.status === 'declined' ? 'lapsed' : 'absent' };
    case 'void':
      return isCaptured ? { is: 'captured', amountMinor: truth.capturedMinor } : { is: 'absent' };
    case 'refund':
      if (!isCaptured) return { is: 'refused', failure: buildFailure('not_captured') };
      return truth.isDisputed ? { is: 'refused', failure: buildFailure('disputed') } : { is: 'absent' };
  }
}

/** Returns whether nothing is held or captured, and nothing can be held any more. */
function isReleased({ status, isOpenToPayer }: Truth): boolean {
  return !isOpenToPayer && (status === 'voided' || status === 'lapsed' || status === 'declined');
}
