import type { ErrorCode } from './catalogue.ts';

/** Why an error is met, and what its reader can do about it: one or two sentences each. */
export type Advice = { readonly cause: string; readonly remedy: string };

/** The advice for every code: the row of the reference that `doc_url` opens. A new code without it does not compile. */
export const advice: Readonly<Record<ErrorCode, Advice>> = {
  validation_error: {
    cause: 'A field of the body or the query breaks a rule, is missing or is not known.',
    remedy: 'Correct the fields that `details` lists, and send the request again under the same key.',
  },
  invalid_json: {
    cause: 'The body is not JSON in UTF-8, or an object in it has a name twice.',
    remedy: 'Write the body with a JSON library; `hint` has the line and column where it breaks.',
  },
  malformed_request: {
    cause: 'The request breaks HTTP: its address, its `Host` header or its framing.',
    remedy: 'Use an HTTP library, and percent-encode what you put into the address.',
  },
  invalid_slot_ids: {
    cause: 'A slot in `slot_ids` belongs to another group payment, or is named twice.',
    remedy: 'Take the ids from `payment_slots` of this group payment.',
  },
  card_declined: {
    cause: 'The bank that issued the card refused it.',
    remedy: 'Let the payer try another card, or ask the bank.',
  },
  authentication_required: {
    cause:
      'The bank wants the payer to confirm: this payment has no way to ask, or the payer did not confirm.',
    remedy:
      'Let the payer pay on the checkout page or in the widget, where the bank can ask, or with another card.',
  },
  too_many_declines: {
    cause: 'Cards were declined too often within one payment.',
    remedy: 'Start a new payment for the slots.',
  },
  slot_no_longer_available: {
    cause: 'The reservation ran out, and somebody else took a slot of the payment.',
    remedy: 'Read the group payment, and start a payment for slots that are `unassigned`.',
  },
  confirm_not_supported: {
    cause: 'The payment is with a gateway whose form confirms it itself.',
    remedy:
      'Confirm only where the guide to gateways says so; `psp_code` of the pay answer names the gateway.',
  },
  amount_below_gateway_minimum: {
    cause: 'The merchant’s gateway takes no payment as small as this one.',
    remedy: 'Let one payer take several slots, or split the bill into fewer.',
  },
  amount_above_gateway_maximum: {
    cause: 'The merchant’s gateway takes no payment as large as this one.',
    remedy: 'Let the payer take fewer slots, or split the bill into more.',
  },
  currency_not_supported_by_gateway: {
    cause: 'The merchant’s gateway cannot charge the currency of the group payment.',
    remedy: 'Create the group payment in another currency, or choose another gateway in the dashboard.',
  },
  unauthorized: {
    cause:
      'The header `Authorization` is missing, or its key or token is not valid, was revoked or has expired.',
    remedy: 'Send `Authorization: Bearer` and a key of the dashboard, or mint a new session token.',
  },
  insufficient_scope: {
    cause: 'The key or token is valid, and this operation, mode or network address is not within its rights.',
    remedy: 'Use a key that has the right; keys and their rights are listed in the dashboard.',
  },
  not_found: {
    cause: 'There is no such object, or it belongs to another merchant or the other mode.',
    remedy: 'Compare the id, and whether the key is for test or live mode as the one that made the object.',
  },
  route_not_found: {
    cause: 'No operation has this path.',
    remedy: 'Compare the path with this reference; paths begin with `/v1` and do not end with a slash.',
  },
  method_not_allowed: {
    cause: 'The path exists, and not with this method.',
    remedy: 'Use a method that the header `Allow` names.',
  },
  request_timeout: {
    cause: 'The request did not arrive whole within half a minute.',
    remedy: 'Send it again under the same key.',
  },
  conflict: {
    cause: 'Another change came first, or the object is in a state that does not take this one.',
    remedy: 'Read the object again, and repeat the request if it still fits.',
  },
  duplicate_merchant_order_id: {
    cause:
      'Several order numbers that the platform generated in turn were taken already, which practically never happens.',
    remedy: 'Create the group payment again.',
  },
  group_expired: {
    cause: 'The group payment’s `expires_at` has passed before every slot was held.',
    remedy:
      'Read its `state`: where it is `expired`, nobody was charged, and a new group payment can be created. Any other state has ' +
      'captured payments, or captures under way, from a minimum that was reached: a refund gives that money back.',
  },
  group_not_payable: {
    cause: 'The group payment no longer collects: it was cancelled, or its captures have begun.',
    remedy: 'Look at `hint`, which names its state and what can be done in it, such as a refund.',
  },
  no_payable_slots: {
    cause: 'A slot that was asked for, or every slot, is reserved or paid by somebody else.',
    remedy: 'Choose slots that are `unassigned`; reserved ones may become free when payers do not finish.',
  },
  no_active_gateway: {
    cause: 'No payment gateway is connected in this mode, or its connection was ended.',
    remedy: 'Connect one in the dashboard.',
  },
  nothing_to_refund: {
    cause: 'Nothing is captured yet, or all of it was refunded already or is being refunded.',
    remedy: 'Look at `hint`; a group payment that still collects is cancelled instead.',
  },
  slots_not_captured: {
    cause: 'A slot in `slot_ids` holds no captured money.',
    remedy: 'Leave out the slots that `details` names.',
  },
  test_payments_unavailable: {
    cause: 'The gateway of this mode is not played by the sandbox, or the sandbox does not answer.',
    remedy: 'Connect a sandbox account in the dashboard’s test mode, and try again.',
  },
  idempotency_key_in_use: {
    cause:
      'The first request with this `Idempotency-Key` is still running, or the server that had it was killed less than a minute ago.',
    remedy:
      'Send the same request again after `Retry-After`, for a minute if need be: it gets the first one’s answer.',
  },
  payload_too_large: {
    cause: 'The body has more than 256 kB.',
    remedy: 'Send less, metadata for example.',
  },
  uri_too_long: {
    cause: 'The address has more than 8192 characters.',
    remedy: 'Send fewer filters.',
  },
  unsupported_media_type: {
    cause: 'The body is not declared as JSON, or it is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  idempotency_key_reused: {
    cause:
      'The `Idempotency-Key` was used for another path or body; an `expires_at` that is computed anew is another body.',
    remedy: 'Repeat a request with the body of the first; use a new key for a new action.',
  },
  rate_limited: {
    cause:
      'Too many requests, or too many declined or unfinished payments; the header `RateLimit-Reason` names the limit.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  headers_too_large: {
    cause: 'The address and the headers have more than 16 kB together.',
    remedy: 'Send fewer or shorter headers, cookies for example.',
  },
  internal_error: {
    cause: 'A fault of the platform; it is logged.',
    remedy:
      'Repeat the request under the same `Idempotency-Key`; tell support the `request_id` when it stays.',
  },
  outcome_unknown: {
    cause: 'The gateway has not told yet whether the payment happened.',
    remedy: 'Start no other payment: read the group payment, or confirm the same payment again.',
  },
  gateway_error: {
    cause: 'The gateway refused the request without a reason that a payer could mend.',
    remedy: 'Look at the gateway’s own dashboard, and try a new payment.',
  },
  gateway_unavailable: {
    cause: 'The gateway could not be reached, and nothing was charged.',
    remedy: 'Send the same request again after `Retry-After`.',
  },
  service_unavailable: {
    cause: 'A part of the platform is starting, stopping or overloaded.',
    remedy: 'Send the same request again after `Retry-After`.',
  },
  deadline_exceeded: {
    cause: 'A part of the platform did not answer in time; the action may have happened.',
    remedy: 'Send the same request again under the same `Idempotency-Key`.',
  },
};
