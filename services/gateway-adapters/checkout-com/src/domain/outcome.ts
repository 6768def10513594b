import { DECLINE_REASONS, type Failure } from '@gp/contracts';
import { buildFailure } from '@gp/gateway';

export type ResponseMeaning = 'approved' | 'declined' | 'unknown';

/**
 * Returns the meaning of a response code: 10xxx approved, 20xxx soft, 30xxx hard and 40xxx risk declines. 50xxx
 * belong to payouts and other numbers are not documented: their meaning for a payment is unknown.
 */
export function classifyResponse(code: string): ResponseMeaning {
  if (!/^\d{5}$/.test(code)) return 'unknown';
  if (code.startsWith('10')) return 'approved';
  return /^[234]0/.test(code) ? 'declined' : 'unknown';
}

/** Sentences that may be shown to a payer; lost, stolen and suspected fraud are not disclosed. */
const SENTENCES: Readonly<Record<string, string>> = {
  '20014': DECLINE_REASONS.incorrect_number,
  '20051': DECLINE_REASONS.insufficient_funds,
  '20054': DECLINE_REASONS.expired_card,
  '20087': "the card's security code or expiry date is incorrect",
  '20100': DECLINE_REASONS.incorrect_expiry,
  '40104': DECLINE_REASONS.incorrect_cvc,
};

/** The issuer wants the payer to be authenticated. */
const AUTHENTICATION = new Set(['20154', '20155']);
/** The payer failed, did not finish in time (15 minutes), or could not be asked. */
const NOT_AUTHENTICATED = new Set(['20150', '20151', '20152', '20153']);

/** Returns the failure for a refusal of the card. */
export function buildResponseFailure(code: string): Failure {
  if (NOT_AUTHENTICATED.has(code))
    return buildFailure('authentication_required', 'the card holder was not authenticated');
  return AUTHENTICATION.has(code)
    ? buildFailure('authentication_required')
    : buildFailure('card_declined', SENTENCES[code]);
}

/** Codes of a 422 for a wrong field of the card that the payer typed. */
const CARD_FIELDS: Readonly<Record<string, string>> = {
  card_number_invalid: DECLINE_REASONS.incorrect_number,
  card_number_required: 'the card number is missing',
  card_expired: DECLINE_REASONS.expired_card,
  card_expiry_month_invalid: DECLINE_REASONS.incorrect_expiry,
  card_expiry_year_invalid: DECLINE_REASONS.incorrect_expiry,
  expiry_date_format_invalid: DECLINE_REASONS.incorrect_expiry,
  cvv_invalid: DECLINE_REASONS.incorrect_cvc,
};

/** Codes of a 422 for a wrong field of our request: nothing was done, and the same request would fail again. */
const REQUEST_FIELDS = new Set([
  'amount_invalid',
  'amount_required',
  'currency_invalid',
  'reference_invalid',
  'metadata_invalid',
  'payment_source_required',
  'payment_source_type_invalid',
  'processing_channel_id_invalid',
  'request_body_malformed',
  'capture_value_greater_than_authorized',
  'capture_value_greater_than_remaining_authorized',
  'refund_amount_exceeds_balance',
  'refund_authorization_declined',
]);

/**
 * Returns the failure of a 422; undefined when it has a code we do not know, and so may have been something else.
 */
export function buildRequestFailure(codes: readonly string[]): Failure | undefined {
  const blamed = codes.find((code) => code in CARD_FIELDS);
  if (blamed !== undefined) return buildFailure('card_declined', CARD_FIELDS[blamed]);
  const isOurs = codes.length > 0 && codes.every((code) => REQUEST_FIELDS.has(code));
  return isOurs ? buildFailure('gateway_refused') : undefined;
}
