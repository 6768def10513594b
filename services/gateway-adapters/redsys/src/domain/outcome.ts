import { DECLINE_REASONS, type Failure } from '@gp/contracts';
import { buildFailure } from '@gp/gateway';

export type ResponseMeaning = 'approved' | 'declined' | 'unknown';

/** The gateway's transaction types that we use. */
export const TYPES = { preauthorise: '1', confirm: '2', refund: '3', cancel: '9' } as const;

/**
 * Refusals of a card, a payer or a terminal. A code that is not listed is unknown, and so may have been a payment.
 */
const DENIED = new Set(
  `0101 0102 0104 0106 0116 0118 0125 0129 0167 0172 0173 0174 0180 0184 0190 0191 0195
   0201 0202 0204 0207 0208 0209 0280 0290 0904 0909 0912 0913 0944 0950
   9064 9078 9093 9094 9104 9218 9253 9256 9257 9261 9912 9915 9928 9929`.split(/\s+/),
);

/**
 * Returns the meaning of the four-digit response to a pre-authorisation; 9997, 9998 and 9999 are still under way.
 */
export function classifyResponse(code: string): ResponseMeaning {
  if (/^00\d\d$/.test(code)) return 'approved';
  return DENIED.has(code) ? 'declined' : 'unknown';
}

export const isConfirmed = (code: string): boolean => code === '0900';
export const isCancelled = (code: string): boolean => code === '0400' || code === '0481';
export const isRefunded = (code: string): boolean => code === '0900';

const AUTHENTICATION = new Set(['0184', '0195', '9104']);
/** No card was refused: the payer left the page without paying. */
const CANCELLED = '9915';

/** Sentences that may be shown to a payer; lost, stolen and suspected fraud are not disclosed. */
const SENTENCES: Readonly<Record<string, string>> = {
  '0101': DECLINE_REASONS.expired_card,
  '0116': DECLINE_REASONS.insufficient_funds,
  '0118': DECLINE_REASONS.incorrect_number,
  '0129': DECLINE_REASONS.incorrect_cvc,
  '0191': DECLINE_REASONS.incorrect_expiry,
  '9064': DECLINE_REASONS.incorrect_number,
  '9093': DECLINE_REASONS.incorrect_number,
  '9253': DECLINE_REASONS.incorrect_number,
  '9078': 'this kind of card cannot be used here',
  '9256': "the merchant's account cannot hold amounts on cards",
  '9257': 'this card cannot hold an amount',
};

/** Returns why there is no hold, as a failure of ours. */
export function buildResponseFailure(code: string): Failure {
  if (code === CANCELLED)
    return buildFailure('cancelled_by_payer', "the payment was cancelled on the bank's page");
  return AUTHENTICATION.has(code)
    ? buildFailure('authentication_required', 'the card holder was not authenticated')
    : buildFailure('card_declined', SENTENCES[code]);
}

/**
 * The meaning of an error code. `done`: it was done before; a look-up shows how. `lapsed`: the hold ended by
 * itself. `absent`: no such order. `misconfigured` can be fixed while the hold lives; `refused` cannot.
 */
export type ErrorMeaning =
  'done' | 'lapsed' | 'refused' | 'conflict' | 'absent' | 'retryable' | 'misconfigured' | 'unknown';

const ERRORS: Readonly<Record<Exclude<ErrorMeaning, 'unknown'>, readonly string[]>> = {
  done: ['SIS0060', 'SIS0222'],
  lapsed: ['SIS0132', 'SIS0530', 'SIS0531'],
  conflict: [
    'SIS0051',
    // Nothing there to confirm, or to cancel: a look-up of the order shows how it ended.
    ...['SIS0058', 'SIS0059', 'SIS0061'],
    ...['SIS0072', 'SIS0073', 'SIS0223', 'SIS0225'],
  ],
  refused: [
    // Nothing to refund, or the requested amount is too high.
    ...['SIS0054', 'SIS0057', 'SIS0062'],
    // No holds for this merchant or this card.
    ...['SIS0256', 'SIS0257', '9256', '9257'],
    // Our faults: the same message would fail again.
    ...['SIS0075', 'SIS0077', 'SIS0429', 'SIS0430', 'SIS0431', 'SIS0434'],
  ],
  misconfigured: ['SIS0026', 'SIS0027', 'SIS0028', 'SIS0041', 'SIS0042', 'SIS0432', 'SIS0433'],
  absent: ['XML0024'],
  retryable: ['SIS0295', '9997'],
};

const MEANINGS: ReadonlyMap<string, ErrorMeaning> = new Map(
  Object.entries(ERRORS).flatMap(([meaning, codes]) => codes.map((code) => [code, meaning as ErrorMeaning])),
);

/** Returns the meaning of an error code; a code that is not listed is unknown, and so is its effect. */
export const classifyError = (code: string): ErrorMeaning => MEANINGS.get(code) ?? 'unknown';

export const noRefunds: Failure = buildFailure(
  'gateway_refused',
  "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard",
);
