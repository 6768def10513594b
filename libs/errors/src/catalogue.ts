/**
 * Every error a merchant can get. The domain knows the codes; only this table knows the statuses.
 *
 * `text` is the public sentence used when the thrower gives none, `retryable` says whether the very same request
 * may succeed later, `retryAfterSeconds` is the pause asked for when the thrower names none, `param` is the field at
 * fault, where a code has only one. `hint` is the likely cause, used when the thrower gives none. The data of an `opaque`
 * error never leaves the process: its cause is internal.
 */
type Entry = {
  readonly status: ErrorStatus;
  readonly text: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly opaque?: true;
  readonly param?: string;
  readonly hint?: string;
};

const statusTexts = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ErrorStatus = keyof typeof statusTexts;

const final = (status: ErrorStatus, text: string): Entry => ({ status, text, retryable: false });

const passing = (status: ErrorStatus, text: string, retryAfterSeconds: number): Entry => ({
  status,
  text,
  retryable: true,
  retryAfterSeconds,
});

const entries = {
  validation_error: final(400, 'Validation error'),
  invalid_json: final(400, 'the body is not valid JSON'),
  malformed_request: final(400, 'the request could not be understood'),
  invalid_slot_ids: {
    ...final(400, 'slot_ids must name slots of this group payment, each once'),
    param: 'slot_ids',
  },
  card_declined: final(400, 'the card was declined'),
  authentication_required: final(
    400,
    'the card issuer asks for authentication that this payment cannot give',
  ),
  too_many_declines: final(400, 'this payment was declined too often; start a new one'),
  slot_no_longer_available: final(400, 'a slot of this payment has been taken in the meantime'),
  confirm_not_supported: final(400, 'payments of this gateway are not confirmed through the API'),
  amount_below_gateway_minimum: final(400, "the amount is below the payment gateway's minimum"),
  amount_above_gateway_maximum: final(400, "the amount is above the payment gateway's maximum"),
  currency_not_supported_by_gateway: final(400, 'the payment gateway does not take this currency'),

  unauthorized: final(401, 'missing or invalid authentication'),
  // The published 401 is for a missing or invalid credential; this one is valid and may not do what it asks for.
  insufficient_scope: final(403, 'this credential does not allow the operation'),

  not_found: {
    ...final(404, 'not found'),
    hint: 'compare the id; an object is found only with a credential of the merchant and of the mode, test or live, that it was made in',
  },
  route_not_found: final(404, 'no such endpoint'),
  method_not_allowed: final(405, 'this endpoint does not support the method'),
  request_timeout: { ...final(408, 'the request did not arrive in time'), retryable: true },

  conflict: final(409, "the request does not fit the resource's current state"),
  duplicate_merchant_order_id: final(409, 'a group payment with this merchant_order_id already exists'),
  group_expired: final(409, 'the group payment has expired'),
  group_not_payable: final(409, 'the group payment cannot be paid in its current state'),
  no_payable_slots: final(409, 'no payable slots'),
  no_active_gateway: {
    ...final(409, 'merchant has no active payment gateway'),
    hint: 'connect a gateway in the dashboard under Gateways, for this mode, and make it active',
  },
  nothing_to_refund: final(409, 'nothing to refund'),
  slots_not_captured: {
    ...final(409, 'the requested slots have no captured payment'),
    param: 'slot_ids',
  },
  test_payments_unavailable: passing(409, 'no sandbox plays payers for this payment', 5),
  idempotency_key_in_use: {
    ...passing(409, 'a request with this Idempotency-Key is still in progress', 1),
    hint: 'send the very same request again until it is answered, it is done once; where the server that had it was killed, that may take a minute',
  },

  payload_too_large: final(413, 'the body is too large'),
  uri_too_long: final(414, 'the address is too long'),
  unsupported_media_type: {
    ...final(415, 'the body must be application/json in UTF-8, without content encoding'),
    hint: 'send the header Content-Type: application/json; curl -d alone sends that of a form',
  },
  idempotency_key_reused: {
    ...final(422, 'this Idempotency-Key was already used with a different request'),
    hint: 'a repetition keeps the path and the whole body of the first request: what is computed for it, such as the expires_at of a creation, is kept with the key; another request needs another key',
  },
  rate_limited: passing(429, 'too many requests', 1),
  headers_too_large: final(431, 'the request headers are too large'),

  internal_error: { ...final(500, 'something went wrong on our side'), retryable: true, opaque: true },
  // The payment may have happened. The first query of the gateway comes after five seconds.
  outcome_unknown: passing(500, "the payment's outcome is not known yet and is being verified", 5),
  gateway_error: final(500, 'the payment gateway could not process the request'),

  gateway_unavailable: passing(503, 'the payment gateway is not available at the moment', 1),
  service_unavailable: { ...passing(503, 'the service is not available at the moment', 1), opaque: true },
  deadline_exceeded: { ...passing(503, 'the request took too long', 1), opaque: true },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof entries;

export type CatalogueEntry = Entry & {
  /** The short status text of the error body, for example `Bad Request`. */
  readonly error: string;
  /** The place in the reference documentation that explains the code. */
  readonly anchor: string;
};

export const errorCodes = Object.keys(entries) as readonly ErrorCode[];

/** The one table from error code to status, texts and retry advice. */
export const catalogue = Object.freeze(
  Object.fromEntries(
    errorCodes.map((code) => {
      const entry: Entry = entries[code];
      return [code, Object.freeze({ ...entry, error: statusTexts[entry.status], anchor: `error-${code}` })];
    }),
  ),
) as Readonly<Record<ErrorCode, CatalogueEntry>>;

/** Returns whether a text received from elsewhere is a code of the catalogue. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalogue, value);
}

/** Sentences the public API documents word for word; merchants may compare them. */
export const documentedTexts = {
  expiryInPast: 'expiry must be in the future',
  expiryTooFar: 'expiry cannot be more than 7 days in the future',
  slotSumMismatch: 'sum of slot amounts must equal total amount',
  duplicateMerchantOrderId: entries.duplicate_merchant_order_id.text,
  groupPaymentNotFound: 'group payment not found',
  noActiveGateway: entries.no_active_gateway.text,
} as const;
