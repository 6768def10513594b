import { type Answer, type DeclineReason, type Dialect, type Refusal, Refused } from '@gp/psp-sandbox/kit';
import { buildChargeId, type AttemptError, type PaymentA } from './payment.ts';
import { buildPaymentIntent, toWireStatus } from './wire.ts';

type ErrorFields = {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
};

/** Returns an error in the API's format; the books record `outcome`. */
export function errorAnswer(status: number, error: ErrorFields, outcome = 'refused'): Answer {
  const doc_url = error.code
    ? `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}`
    : undefined;
  return { status, body: { error: { ...error, ...(doc_url && { doc_url }) } }, outcome };
}

const invalid = (message: string, code?: string, param?: string): ErrorFields => ({
  type: 'invalid_request_error',
  message,
  ...(code && { code }),
  ...(param && { param }),
});

/** Returns the refusal of an invalid request, which happens before anything is looked up. */
export const badRequest = (message: string, param?: string, code?: string): Refused =>
  new Refused(errorAnswer(400, invalid(message, code, param)));

export const unauthenticated = (message: string): Refused => new Refused(errorAnswer(401, invalid(message)));

export const forbidden = (message: string, code?: string): Refused =>
  new Refused(errorAnswer(403, invalid(message, code)));

/** A missing object and one of another account get the same response. */
export const missing = (noun: string, id: string, param: string): Refused =>
  new Refused(errorAnswer(404, invalid(`No such ${noun}: '${id.slice(0, 100)}'`, 'resource_missing', param)));

export const unknownPath = (method: string, path: string): Answer =>
  errorAnswer(404, invalid(`Unrecognized request URL (${method}: ${path.slice(0, 200)}).`));

/** Returns the answer for a refused card: the attempt is over, and the intent may be tried again. */
export function declinedAnswer(p: PaymentA, error: AttemptError): Answer {
  const fields: ErrorFields = {
    type: error.type,
    message: error.message,
    code: error.code,
    ...(error.declineCode && { decline_code: error.declineCode }),
    ...(p.details.chargedAt !== null && { charge: buildChargeId(p) }),
    payment_intent: buildPaymentIntent(p),
  };
  return errorAnswer(402, fields, 'declined');
}

const unexpectedState = (p: PaymentA, verb: string): Answer =>
  errorAnswer(400, {
    ...invalid(
      `You cannot ${verb} this PaymentIntent because it has a status of ${toWireStatus(p)}.`,
      'payment_intent_unexpected_state',
    ),
    payment_intent: buildPaymentIntent(p),
  });

/** Returns the answer for a step that the books refused, in the API's codes. */
export function refusalAnswer(p: PaymentA, verb: string, refusal: Refusal): Answer {
  switch (refusal) {
    case 'wrong_state':
      return verb === 'refund' ? unrefundable(p) : unexpectedState(p, verb);
    case 'in_progress':
      return verb === 'refund' ? locked() : unexpectedState(p, verb);
    case 'hold_expired':
      return errorAnswer(400, {
        ...invalid('The authorization of this charge has expired.', 'charge_expired_for_capture'),
        payment_intent: buildPaymentIntent(p),
      });
    case 'amount_too_large':
      return errorAnswer(
        400,
        invalid(`The amount is greater than what is left to ${verb}.`, 'amount_too_large', 'amount'),
      );
    case 'disputed':
      return errorAnswer(400, invalid('This charge has been charged back.', 'charge_disputed'));
  }
}

function unrefundable(p: PaymentA): Answer {
  const isRefunded = p.status === 'refunded';
  return isRefunded
    ? errorAnswer(
        400,
        invalid(`Charge ${buildChargeId(p)} has already been refunded.`, 'charge_already_refunded'),
      )
    : errorAnswer(
        400,
        invalid(
          'This PaymentIntent does not have a successful charge to refund.',
          'payment_intent_unexpected_state',
        ),
      );
}

const locked = (): Answer =>
  errorAnswer(429, invalid('Another request is changing this object.', 'lock_timeout'));

/** The refusal of a step that the books would allow: the fault `decline` outside of card payments. */
export const REFUSED_BY_FAULT = {
  prepare: () =>
    errorAnswer(
      400,
      invalid('This payment cannot be created.', 'payment_intent_invalid_parameter'),
      'declined',
    ),
  capture: () =>
    errorAnswer(
      402,
      {
        type: 'card_error',
        message: 'Your card was declined.',
        code: 'card_declined',
        decline_code: 'generic_decline',
      },
      'declined',
    ),
  void: (p: PaymentA) => ({ ...unexpectedState(p, 'cancel'), outcome: 'declined' }),
  refund: () =>
    errorAnswer(
      400,
      invalid('There are not enough funds for this refund.', 'balance_insufficient'),
      'declined',
    ),
  query: () => errorAnswer(403, invalid('This key may not read that now.'), 'declined'),
} as const;

const CODES: Readonly<
  Record<DeclineReason, readonly [code: string, decline: string | null, message: string]>
> = {
  generic_decline: ['card_declined', 'generic_decline', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', 'lost_card', 'Your card was declined.'],
  stolen_card: ['card_declined', 'stolen_card', 'Your card was declined.'],
  card_velocity_exceeded: ['card_declined', 'card_velocity_exceeded', 'Your card was used too often.'],
  expired_card: ['expired_card', null, 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', null, "Your card's security code is incorrect."],
  processing_error: ['processing_error', null, 'An error occurred while processing your card.'],
  authentication_failed: [
    'payment_intent_authentication_failure',
    null,
    'The provided payment method has failed authentication.',
  ],
};

export function buildAttemptError(reason: DeclineReason): AttemptError {
  const [code, declineCode, message] = CODES[reason];
  const type = reason === 'authentication_failed' ? 'invalid_request_error' : 'card_error';
  return { type, code, declineCode, message };
}

/** The API's responses that do not depend on the call; it keeps every first answer, failures too. */
export const dialect: Dialect = {
  rateLimited: () =>
    errorAnswer(429, invalid('Too many requests made to the API too quickly.', 'rate_limit'), 'rate_limited'),
  broken: () => errorAnswer(500, { type: 'api_error', message: 'An unknown error occurred.' }, 'failed'),
  keyInUse: () =>
    errorAnswer(
      409,
      invalid('Another request with this idempotency key is in progress.', 'idempotency_key_in_use'),
      'key_in_use',
    ),
  keyReused: () =>
    errorAnswer(
      400,
      {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      },
      'key_reused',
    ),
  keeps: (answer) => answer.status !== 409 && answer.status !== 429,
  replayHeaders: { 'Idempotent-Replayed': 'true' },
};
