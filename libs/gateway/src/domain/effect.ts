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

/**
 * Reads the fate of one operation from the gateway's truth. A refusal counts only for the very key it was given
 * to: a later seq may well succeed.
 */
export function effectOf(operation: EffectOperation, truth: Truth, idempotencyKey: string): Effect {
  const present = effectPresent(operation, truth);
  if (present) return present;
  const actions = truth.actions.filter((action) => action.operation === operation);
  if (actions.some(({ state }) => state === 'pending')) return { is: 'pending' };
  const own = actions.find(({ reference }) => reference === idempotencyKey);
  if (own?.state === 'failed') return { is: 'refused', failure: own.failure ?? failureOf('gateway_refused') };
  // Done, though not for the amount asked for: what the gateway states is what counts.
  if (own?.state === 'succeeded' && operation === 'refund')
    return { is: 'present', amountMinor: truth.refundedMinor };
  return outlook(operation, truth);
}

function effectPresent(operation: EffectOperation, truth: Truth): Effect | undefined {
  const { capturedMinor, refundedMinor, amountMinor } = truth;
  switch (operation) {
    case 'capture':
      return capturedMinor > 0n ? { is: 'present', amountMinor: capturedMinor } : undefined;
    case 'void':
      return isReleased(truth) ? { is: 'present', amountMinor } : undefined;
    case 'refund':
      // Refunds always give back all that is left, so the total tells.
      return capturedMinor > 0n && refundedMinor >= capturedMinor
        ? { is: 'present', amountMinor: refundedMinor }
        : undefined;
  }
}

function outlook(operation: EffectOperation, truth: Truth): Effect {
  const isCaptured = truth.capturedMinor > 0n;
  switch (operation) {
    case 'capture':
      return { is: isReleased(truth) ? 'lapsed' : 'absent' };
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
