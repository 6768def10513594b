import { failureClass } from '@gp/telemetry';
import {
  buildFailure,
  type Answer,
  type CredentialsVerdict,
  type QueryAnswer,
  type Retryable,
  type Unknown,
} from '@gp/gateway';
import { buildRequestFailure, buildResponseFailure, classifyResponse } from '../domain/outcome.ts';
import type { Reply } from './client.ts';
import type { Credentials } from './credentials.ts';
import { parseAmount, findChallengeUrl, hasRedirect, parseText } from './wire.ts';

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

/**
 * The relay's problem when a field was encrypted for another app, or is damaged. The relay does not forward such a
 * request, so the card is certainly not charged and counts as declined.
 */
const NOT_DECRYPTED = 'decryption-failed';
const UNREADABLE_CARD = buildFailure('card_declined', 'the card could not be read; please enter it again');

/** Returns the meaning of a request without a response: unknown, unless it was certainly never sent. */
export function mapTransportError(error: unknown): Unknown | Retryable {
  const reason = failureClass(error);
  const isUnsent = listCauses(error).some(
    (cause) => NEVER_SENT.has(findErrorCode(cause)) || NO_TUNNEL.test(cause.message),
  );
  return { kind: isUnsent ? 'retryable' : 'unknown', reason };
}

/** Returns the meaning of the response to a payment request. `canBeAuthenticated`: the payer can be sent to the bank. */
export function mapAuthorisationReply({ status, body }: Reply, canBeAuthenticated = false): Answer {
  switch (status) {
    case 201:
      return mapPayment(body);
    case 202:
      // Without a page the bank is only slow.
      return hasRedirect(body)
        ? mapChallenge(body, canBeAuthenticated)
        : { kind: 'unknown', reason: 'pending' };
    default:
      return mapRefusal({ status, body });
  }
}

/** The issuer requires the payer: who cannot be sent there has a card that is refused. */
function mapChallenge(body: Reply['body'], canBeAuthenticated: boolean): Answer {
  const pspReference = parseText(body['id']);
  if (!canBeAuthenticated)
    return { kind: 'declined', failure: buildFailure('authentication_required'), pspReference };
  const challengeUrl = findChallengeUrl(body);
  if (challengeUrl === null) return { kind: 'unknown', reason: 'a page of the bank without an address' };
  return { kind: 'authenticating', pspReference, challengeUrl };
}

function mapPayment(body: Reply['body']): Answer {
  const code = parseText(body['response_code']);
  const pspReference = parseText(body['id']);
  const meaning = classifyResponse(code);
  if (meaning === 'approved' && body['approved'] === true && body['status'] === 'Authorized')
    return {
      kind: 'approved',
      pspReference,
      amountMinor: parseAmount(body['amount']),
      currency: parseText(body['currency']),
      captureBefore: typeof body['expires_on'] === 'string' ? new Date(body['expires_on']) : null,
    };
  if (meaning === 'declined' && body['approved'] === false)
    return { kind: 'declined', failure: buildResponseFailure(code), pspReference };
  return { kind: 'unknown', reason: `response ${code}` };
}

/**
 * Returns the meaning of the response to a capture, void or refund: it is only accepted, and the result comes
 * later.
 */
export function mapStepReply(reply: Reply): Answer {
  return reply.status === 202 ? { kind: 'accepted' } : mapRefusal(reply);
}

function mapRefusal({ status, body }: Reply): Answer {
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
      if (body['code'] === NOT_DECRYPTED) return { kind: 'declined', failure: UNREADABLE_CARD };
      const codes = parseErrorCodes(body);
      const failure = buildRequestFailure(codes);
      return failure ? { kind: 'declined', failure } : { kind: 'unknown', reason: codes.join() };
    }
    default:
      return { kind: 'unknown', reason: `status ${status}` };
  }
}

/** Returns the meaning of the response to a payment request without a card: it is never accepted. */
export function mapCredentialsCheck({ status, body }: Reply): CredentialsVerdict<Credentials> {
  if (status === 401)
    return {
      kind: 'invalid',
      param: 'processor_secret_key',
      reason: 'is not accepted by the processor',
    };
  if (status !== 422) return { kind: 'unknown' };
  return parseErrorCodes(body).some((code) => code.startsWith('processing_channel_id'))
    ? { kind: 'invalid', param: 'processing_channel_id', reason: 'is not a channel of this key' }
    : { kind: 'valid' };
}

/** Returns the meaning of a look-up's response that does not contain the payment. */
export function mapFailedQuery({ status }: Reply): Exclude<QueryAnswer, { kind: 'found' }> {
  if (status === 404) return { kind: 'absent' };
  if (status === 401) return { kind: 'unknown', reason: 'status 401', isKeyRefused: true };
  return { kind: status === 429 ? 'retryable' : 'unknown', reason: `status ${status}` };
}

function listCauses(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let e = error; e instanceof Error && causes.length < 5; e = e.cause) causes.push(e);
  return causes;
}

const findErrorCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

const parseErrorCodes = (body: Reply['body']): readonly string[] =>
  Array.isArray(body['error_codes']) ? body['error_codes'].map(String) : [];
