import { failureClass } from '@gp/telemetry';
import { buildFailure, type Answer, type Declined, type Retryable, type Unknown } from '@gp/gateway';
import Stripe from 'stripe';
import {
  buildCardFailure,
  buildRequestFailure,
  classifyError,
  type ErrorMeaning,
} from '../domain/outcome.ts';

type Problem = { readonly meaning: ErrorMeaning; readonly code: string; readonly declineCode: string | null };

/** Connections that were never made: the request certainly did not arrive. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Returns the meaning of a failed request to capture, void or refund. */
export function mapError(error: unknown): Answer {
  const { meaning, code, declineCode } = parseProblem(error);
  switch (meaning) {
    case 'declined':
      return { kind: 'declined', failure: buildCardFailure({ code, declineCode }) };
    case 'invalid':
      return { kind: 'declined', failure: buildRequestFailure(code) };
    case 'conflict':
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

/** Returns the meaning of a failed preparation: it holds nothing, so every refusal is a decline. */
export function mapPreparationError(error: unknown): Declined | Unknown | Retryable {
  const answer = mapError(error);
  switch (answer.kind) {
    case 'declined':
    case 'unknown':
      return answer;
    case 'retryable':
      return parseProblem(error).meaning === 'misconfigured'
        ? { kind: 'declined', failure: buildFailure('gateway_refused') }
        : answer;
    default:
      return { kind: 'declined', failure: buildFailure('gateway_refused') };
  }
}

/** Returns the meaning of a failed look-up. */
export function mapQueryError(error: unknown): { kind: 'absent' } | Unknown | Retryable {
  const { meaning, code } = parseProblem(error);
  if (code === 'resource_missing') return { kind: 'absent' };
  if (meaning === 'misconfigured') return { kind: 'unknown', reason: code, isKeyRefused: true };
  return { kind: meaning === 'retryable' ? 'retryable' : 'unknown', reason: code };
}

export function parseProblem(error: unknown): Problem {
  if (!(error instanceof Stripe.errors.StripeError))
    return { meaning: 'unknown', code: failureClass(error), declineCode: null };
  const detail = findSystemCode(error.detail);
  if (detail !== undefined && NEVER_SENT.has(detail))
    return { meaning: 'retryable', code: detail, declineCode: null };
  const code = error.code ?? detail ?? error.type;
  const meaning = classifyError(error.statusCode, error.rawType ?? '', code);
  return { meaning, code, declineCode: error.decline_code ?? null };
}

function findSystemCode(detail: unknown): string | undefined {
  const code = typeof detail === 'object' && detail !== null && 'code' in detail ? detail.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
