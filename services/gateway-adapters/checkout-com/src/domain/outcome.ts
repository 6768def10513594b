import type { Failure } from '@gp/contracts';
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

/** Reasons that may be shown to a payer; lost, stolen and suspected fraud are not disclosed. */
const SENTENCES: Readonly<Record<string, string>> = {
  '20014': 'the card number is incorrect',
  '20051': 'the card has insufficient funds',
  '20054': 'the card has expired',
  '20087': "the card's security code or expiry date is incorrect",
  '20100': "the card's expiry date is incorrect",
  '40104': "the card's security code is incorrect",
};

const AUTHENTICATION = new Set(['20154', '20155']);

/** Returns the failure for a refusal of the card. */
export function buildResponseFailure(code: string): Failure {
  return AUTHENTICATION.has(code)
    ? buildFailure('authentication_required')
    : buildFailure('card_declined', SENTENCES[code]);
}

/** Codes of a 422 for a wrong field of the card that the payer typed. */
const CARD_FIELDS: Readonly<Record<string, string>> = {
  card_number_invalid: 'the card number is incorrect',
  card_number_required: 'the card number is missing',
  card_expired: 'the card has expired',
  card_expiry_month_invalid: "the card's expiry date is incorrect",
  card_expiry_year_invalid: "the card's expiry date is incorrect",
  expiry_date_format_invalid: "the card's expiry date is incorrect",
  cvv_invalid: "the card's security code is incorrect",
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
