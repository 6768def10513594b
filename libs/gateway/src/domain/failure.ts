import type { Failure } from '@gp/contracts';

/** Failures that every gateway shares, as texts a merchant may read. */
const sentences = {
  gateway_refused: 'the payment gateway refused the operation',
  gateway_unavailable: 'the payment gateway is not available at the moment',
  hold_gone: 'the hold no longer exists at the payment gateway',
  hold_cancelled_at_gateway: 'the hold was released at the payment gateway',
  already_captured: 'the payment has already been captured',
  not_captured: 'the payment has not been captured',
  disputed: 'payment is disputed',
  reversed: 'the payment gateway took the operation back afterwards',
  capture_window_closed: 'the hold can no longer be captured',
  authorisation_absent: 'the payment gateway has no such payment',
  amount_below_gateway_minimum: "the amount is below the payment gateway's minimum",
  amount_above_gateway_maximum: "the amount is above the payment gateway's maximum",
  currency_not_supported_by_gateway: 'the payment gateway does not take this currency',
  card_declined: 'the card was declined',
  cancelled_by_payer: 'the payer cancelled the payment',
  authentication_required: 'the card issuer asks for authentication that this payment cannot give',
} as const;

export type FailureCode = keyof typeof sentences;

const retryable: ReadonlySet<FailureCode> = new Set(['gateway_unavailable', 'authorisation_absent']);

/**
 * Builds a failure with its documented sentence; `message` replaces the sentence and never holds the gateway's
 * own words.
 */
export function buildFailure(code: FailureCode, message?: string): Failure {
  return { code, message: message ?? sentences[code], retryable: retryable.has(code) };
}
