import { DECLINE_REASONS, type Failure } from '@gp/contracts';
import { buildFailure } from '@gp/gateway';

/** Why a card was refused: the gateway's code, and the more precise reason of the issuer. */
export type CardError = { readonly code: string; readonly declineCode: string | null };

/** The meaning of an error response of the API, whatever the operation. */
export type ErrorMeaning = 'declined' | 'retryable' | 'conflict' | 'unknown' | 'misconfigured' | 'invalid';

/**
 * Refusals of the card or the account. A code that is in none of these lists is unknown, and so is its effect: the
 * payment may have happened.
 */
const DECLINES = new Set([
  'card_declined',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_zip',
  'incorrect_address',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'processing_error',
  'card_decline_rate_limit_exceeded',
  'payment_intent_authentication_failure',
  'payment_intent_payment_attempt_failed',
  'authentication_required',
  'balance_insufficient',
  'insufficient_funds',
]);

/**
 * Not allowed in the present state of the payment: a look-up of the payment shows whether it is done, impossible
 * or only early.
 */
const CONFLICTS = new Set([
  'payment_intent_unexpected_state',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_disputed',
  'charge_expired_for_capture',
  'capture_charge_authorization_expired',
  'resource_missing',
]);

/** Nothing was done because another request was in progress. */
const LATER = new Set(['rate_limit', 'lock_timeout']);

/** Our request was invalid for the gateway; nothing was done. */
const INVALID = new Set([
  'amount_too_small',
  'amount_too_large',
  'parameter_invalid_integer',
  'parameter_missing',
  'parameter_unknown',
  'currency_not_supported',
  'payment_intent_invalid_parameter',
  'charge_exceeds_transaction_limit',
  'charge_exceeds_source_limit',
]);

/** `status` is undefined when there was no HTTP answer. */
export function classifyError(status: number | undefined, type: string, code: string): ErrorMeaning {
  if (status === undefined || status >= 500 || status === 409) return 'unknown';
  if (status === 429 || LATER.has(code)) return 'retryable';
  if (status === 401 || status === 403) return 'misconfigured';
  // The key was used for another request, which may have had an effect.
  if (type === 'idempotency_error') return 'unknown';
  if (DECLINES.has(code)) return 'declined';
  if (CONFLICTS.has(code)) return 'conflict';
  return INVALID.has(code) ? 'invalid' : 'unknown';
}

const AUTHENTICATION = new Set(['payment_intent_authentication_failure', 'authentication_required']);

/** Sentences that may be shown to a payer; lost, stolen and fraudulent are not disclosed. */
const SENTENCES: Readonly<Record<string, string>> = {
  insufficient_funds: DECLINE_REASONS.insufficient_funds,
  expired_card: DECLINE_REASONS.expired_card,
  incorrect_cvc: DECLINE_REASONS.incorrect_cvc,
  invalid_cvc: DECLINE_REASONS.incorrect_cvc,
  incorrect_number: DECLINE_REASONS.incorrect_number,
  invalid_number: DECLINE_REASONS.incorrect_number,
  balance_insufficient: 'the merchant has not enough funds at the gateway for this refund',
  processing_error: 'the card could not be processed; try again',
  card_velocity_exceeded: 'the card was used too often',
};

/** Returns the failure for a refusal of the card. */
export function buildCardFailure({ code, declineCode }: CardError): Failure {
  if (AUTHENTICATION.has(code) || declineCode === 'authentication_required')
    return buildFailure('authentication_required', 'the card holder was not authenticated');
  if (code === 'balance_insufficient') return buildFailure('gateway_refused', SENTENCES[code]);
  return buildFailure('card_declined', SENTENCES[declineCode ?? ''] ?? SENTENCES[code]);
}

/** Returns the failure for a request that the gateway refused, with a code of ours where there is one. */
export function buildRequestFailure(code: string): Failure {
  switch (code) {
    case 'amount_too_small':
      return buildFailure('amount_below_gateway_minimum');
    case 'amount_too_large':
      return buildFailure('amount_above_gateway_maximum');
    case 'currency_not_supported':
      return buildFailure('currency_not_supported_by_gateway');
    default:
      return buildFailure('gateway_refused');
  }
}
