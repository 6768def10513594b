import { failureClass } from '@gp/telemetry';
import {
  buildFailure,
  type GatewayAccount,
  type Answer,
  type QueryAnswer,
  type Retryable,
  type Unknown,
} from '@gp/gateway';
import {
  buildResponseFailure,
  isCancelled,
  isConfirmed,
  classifyError,
  classifyResponse,
  TYPES,
} from '../domain/outcome.ts';
import { deriveTruth } from '../domain/truth.ts';
import type { Reply } from './client.ts';
import type { Credentials } from './credentials.ts';
import { isSigned } from './signature.ts';
import {
  parseAmount,
  parseCurrency,
  parseSignedFields,
  isAbout,
  parseOperations,
  parseText,
  unpack,
} from './wire.ts';

/** Failures before the request was sent: the gateway was never reached. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the meaning of a request without a response: unknown, unless it was certainly never sent. */
export function mapTransportError(error: unknown): Unknown | Retryable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: NEVER_SENT.has(code) ? 'retryable' : 'unknown', reason: failureClass(error) };
}

type About = { readonly account: GatewayAccount<Credentials>; readonly order: string };

/** Returns the meaning of the response to a confirmation or a cancellation. */
export function mapOperationReply(reply: Reply, type: '2' | '9', about: About): Answer {
  const code = findErrorCode(reply);
  if (code !== undefined) return mapErrorCode(code, type);
  const parameters = genuine(reply, about);
  if (parameters === undefined || parseText(parameters, 'ds_transactiontype') !== type)
    return oddAnswer(reply);
  const response = parseText(parameters, 'ds_response');
  const isDone = type === TYPES.confirm ? isConfirmed(response) : isCancelled(response);
  if (!isDone && type === TYPES.confirm && classifyResponse(response) === 'declined')
    return { kind: 'declined', failure: buildResponseFailure(response) };
  // Any other response here is not documented: a look-up of the order shows what it means.
  if (!isDone) return { kind: 'conflict', reason: `response ${response}` };
  return {
    kind: 'approved',
    pspReference: about.order,
    amountMinor: parseAmount(parameters),
    currency: parseCurrency(parameters),
    captureBefore: null,
  };
}

function mapErrorCode(code: string, type: '2' | '9'): Answer {
  const meaning = classifyError(code);
  switch (meaning) {
    case 'refused':
      return { kind: 'declined', failure: buildFailure('gateway_refused') };
    case 'lapsed':
      // A capture that is too late has failed for good; a void that is too late means that the hold ended by
      // itself.
      return type === TYPES.confirm
        ? { kind: 'declined', failure: buildFailure('hold_gone') }
        : { kind: 'conflict', reason: code };
    // Done before; a look-up of the order shows the amount.
    case 'done':
    case 'conflict':
    case 'absent':
      return { kind: 'conflict', reason: code };
    // Keys can be replaced while the hold lives: the operation goes on with newer ones, or waits for them.
    case 'misconfigured':
      return { kind: 'retryable', reason: code, isKeyRefused: true };
    case 'retryable':
      return { kind: 'retryable', reason: code };
    case 'unknown':
      return { kind: 'unknown', reason: code };
  }
}

/**
 * Returns the meaning of the response to a look-up. An order without a result is absent: the payer is still on the
 * bank's page.
 */
export function mapLookUpReply(reply: Reply, about: About, now: Date): QueryAnswer {
  const code = findErrorCode(reply);
  if (code !== undefined) {
    const meaning = classifyError(code);
    if (meaning === 'absent') return { kind: 'absent' };
    if (meaning === 'misconfigured') return { kind: 'unknown', reason: code, isKeyRefused: true };
    return { kind: meaning === 'retryable' ? 'retryable' : 'unknown', reason: code };
  }
  const parameters = genuine(reply, about);
  if (parameters === undefined) return oddAnswer(reply);
  const truth = deriveTruth(about.order, parseOperations(parameters), now);
  return truth ? { kind: 'found', truth } : { kind: 'absent' };
}

export function findErrorCode({ status, body }: Reply): string | undefined {
  const code = body['errorCode'];
  return status === 200 && typeof code === 'string' ? code : undefined;
}

/**
 * Returns the parameters of a response that is signed and concerns this order of this terminal; undefined for any
 * other.
 */
function genuine({ status, body }: Reply, { account, order }: About) {
  const fields = status === 200 ? parseSignedFields((name) => body[name]) : undefined;
  if (!fields || !isSigned(account.credentials.secret_key, order, fields)) return undefined;
  const parameters = unpack(fields.Ds_MerchantParameters);
  return parameters && isAbout(parameters, account.credentials, order) ? parameters : undefined;
}

/**
 * Returns the meaning of a response that does not match the request or is not from the gateway. Only the status
 * for too many requests means "nothing done".
 */
function oddAnswer({ status }: Reply): Unknown | Retryable {
  return { kind: status === 429 ? 'retryable' : 'unknown', reason: `status ${status}` };
}
