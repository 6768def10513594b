import { failureClass } from '@gp/telemetry';
import { failureOf, type Answer, type QueryAnswer, type Retryable, type Unknown } from '@gp/gateway';
import { failureOfInvalid, failureOfResponse, meaningOfResponse } from '../domain/outcome.ts';
import type { Reply } from './client.ts';
import { amountOf, hasRedirect, textOf } from './wire.ts';

/** Failures before the request was sent: the relay or the processor was never reached. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** undici's error when the relay refuses the tunnel, which happens before anything is sent through it. */
const NO_TUNNEL = /when HTTP Tunneling/;

/** Returns the meaning of a request without a response: unknown, unless it was certainly never sent. */
export function answerOfTransport(error: unknown): Unknown | Retryable {
  const reason = failureClass(error);
  const isUnsent = causesOf(error).some(
    (cause) => NEVER_SENT.has(codeOf(cause)) || NO_TUNNEL.test(cause.message),
  );
  return { kind: isUnsent ? 'retryable' : 'unknown', reason };
}

/** Returns the meaning of the response to a payment request. */
export function answerOfAuthorisation({ status, body }: Reply): Answer {
  switch (status) {
    case 201:
      return answerOfPayment(body);
    case 202:
      // The issuer requires the payer, whom we cannot redirect; without a page the bank is only slow.
      return hasRedirect(body)
        ? {
            kind: 'declined',
            failure: failureOf('authentication_required'),
            pspReference: textOf(body['id']),
          }
        : { kind: 'unknown', reason: 'pending' };
    default:
      return answerOfRefusal({ status, body });
  }
}

function answerOfPayment(body: Reply['body']): Answer {
  const code = textOf(body['response_code']);
  const pspReference = textOf(body['id']);
  const meaning = meaningOfResponse(code);
  if (meaning === 'approved' && body['approved'] === true && body['status'] === 'Authorized')
    return {
      kind: 'approved',
      pspReference,
      amountMinor: amountOf(body['amount']),
      currency: textOf(body['currency']),
      captureBefore: typeof body['expires_on'] === 'string' ? new Date(body['expires_on']) : null,
    };
  if (meaning === 'declined' && body['approved'] === false)
    return { kind: 'declined', failure: failureOfResponse(code), pspReference };
  return { kind: 'unknown', reason: `response ${code}` };
}

/**
 * Returns the meaning of the response to a capture, void or refund: it is only accepted, and the result comes
 * later.
 */
export function answerOfStep(reply: Reply): Answer {
  return reply.status === 202 ? { kind: 'accepted' } : answerOfRefusal(reply);
}

function answerOfRefusal({ status, body }: Reply): Answer {
  switch (status) {
    // Keys can be replaced while the hold lives: the operation goes on with newer ones, or waits for them.
    case 401:
      return { kind: 'retryable', reason: 'status 401', isKeyRefused: true };
    case 407:
    case 429:
      return { kind: 'retryable', reason: `status ${status}` };
    case 403:
    case 404:
      return { kind: 'conflict', reason: `status ${status}` };
    case 422: {
      const codes = Array.isArray(body['error_codes']) ? body['error_codes'].map(String) : [];
      const failure = failureOfInvalid(codes);
      return failure ? { kind: 'declined', failure } : { kind: 'unknown', reason: codes.join() };
    }
    default:
      return { kind: 'unknown', reason: `status ${status}` };
  }
}

/** Returns the meaning of a look-up's response that does not contain the payment. */
export function questionOfReply({ status }: Reply): Exclude<QueryAnswer, { kind: 'found' }> {
  if (status === 404) return { kind: 'absent' };
  if (status === 401) return { kind: 'unknown', reason: 'status 401', isKeyRefused: true };
  return { kind: status === 429 ? 'retryable' : 'unknown', reason: `status ${status}` };
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let e = error; e instanceof Error && causes.length < 5; e = e.cause) causes.push(e);
  return causes;
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';
