import { isUnattended } from './attendance.ts';
import { ApiFailure, NoAnswer } from './failure.ts';
import { withProof } from './proof-gate.ts';

export type Request = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Identifies an action that must not happen twice; a repetition carries the same key. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** Longer than the slowest response, a refund over several gateways, may take. */
const GIVE_UP_MS = 40_000;

/**
 * Sends a request to the dashboard's backend and resolves with the body of a success. Rejects with an ApiFailure,
 * or with NoAnswer when no response came. Where the backend requires a fresh proof of identity, the user is asked
 * for it and the same request is sent again. Always JSON and from this site: the backend's protection against other
 * sites requires it.
 */
export function send<T>(path: string, request: Request = {}): Promise<T> {
  return withProof(() => sendOnce<T>(path, request));
}

async function sendOnce<T>(path: string, request: Request): Promise<T> {
  const { method = 'GET', body, idempotencyKey, signal } = request;
  const over = AbortSignal.timeout(GIVE_UP_MS);
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(method === 'GET' && isUnattended() && { 'x-unattended': '1' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(method !== 'GET' && body !== undefined && { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    signal: signal ? AbortSignal.any([signal, over]) : over,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new NoAnswer(error);
  });
  const answer: unknown = await response.json().catch((error: unknown) => {
    // A success whose body cannot be read has an unknown result.
    if (response.ok && response.status !== 204) throw new NoAnswer(error);
    return undefined;
  });
  if (!response.ok) throw new ApiFailure(response.status, answer);
  return answer as T;
}
