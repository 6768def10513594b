import {
  type Answer,
  type DeclineReason,
  type Dialect,
  newId,
  type Refusal,
  Refused,
} from '@gp/psp-sandbox/kit';

/** Returns an error of the processor with its machine-readable codes. */
export function errorAnswer(status: number, codes: readonly string[], outcome = 'refused'): Answer {
  const error_type = status === 422 ? 'request_invalid' : 'processing_error';
  return { status, body: { request_id: newId('req_'), error_type, error_codes: codes }, outcome };
}

/** Returns the refusal of an invalid request, which happens before anything is looked up. */
export const badRequest = (...codes: readonly string[]): Refused => new Refused(errorAnswer(422, codes));

/** The processor's response to unauthenticated callers has no details. */
export const unauthenticated = (): Refused =>
  new Refused({ status: 401, body: undefined, outcome: 'refused' });

/** A missing object and one of another channel get the same response. */
export const missing = (): Refused => new Refused({ status: 404, body: undefined, outcome: 'refused' });

/** The state of the payment does not allow the action; the processor gives no reason. */
const notAllowed = (outcome = 'refused'): Answer => ({ status: 403, body: undefined, outcome });

/** Returns the processor's response for a step that the books refused. */
export function refusalAnswer(step: 'capture' | 'void' | 'refund', refusal: Refusal): Answer {
  if (refusal !== 'amount_too_large') return notAllowed();
  const code =
    step === 'capture' ? 'capture_value_greater_than_remaining_authorized' : 'refund_amount_exceeds_balance';
  return errorAnswer(422, [code]);
}

/** The refusal of a step that the books would allow: the fault `decline` outside of card payments. */
export const REFUSED_BY_FAULT: Answer = notAllowed('declined');

/** Returns a problem document of the encryption side: the relay and the key server. */
export function problem(status: number, code: string, title: string, detail: string): Answer {
  const headers = { 'Content-Type': 'application/problem+json' };
  return { status, headers, body: { code, title, status, detail }, outcome: 'refused' };
}

/** Response codes: 2xxxx soft, 3xxxx hard declines, 4xxxx risk. */
const CODES: Readonly<Record<DeclineReason, readonly [code: string, summary: string]>> = {
  generic_decline: ['20005', 'Declined - Do not honour'],
  insufficient_funds: ['20051', 'Insufficient funds'],
  lost_card: ['30041', 'Lost card - Pick up'],
  stolen_card: ['30043', 'Stolen card - Pick up'],
  card_velocity_exceeded: ['40101', 'Risk blocked transaction'],
  expired_card: ['20054', 'Expired card'],
  incorrect_cvc: ['20087', 'Bad track data (invalid CVV and/or expiry date)'],
  processing_error: ['20001', 'Refer to card issuer'],
  authentication_failed: ['20151', 'Cardholder failed 3DS authentication'],
};

export const APPROVED_RESPONSE = { code: '10000', summary: 'Approved' };

export function declineResponse(reason: DeclineReason): { code: string; summary: string } {
  const [code, summary] = CODES[reason];
  return { code, summary };
}

/** The processor's responses that do not depend on the call; it keeps only successes under idempotency keys. */
export const dialect: Dialect = {
  rateLimited: () => ({ status: 429, body: undefined, outcome: 'rate_limited' }),
  broken: () => errorAnswer(500, ['internal_error'], 'failed'),
  keyInUse: () => ({ status: 429, body: undefined, outcome: 'key_in_use' }),
  keyReused: () => errorAnswer(422, ['idempotency_key_reused'], 'key_reused'),
  keeps: (answer) => answer.status >= 200 && answer.status < 300,
  replayHeaders: {},
};
