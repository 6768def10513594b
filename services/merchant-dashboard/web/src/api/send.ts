import { ApiFailure, NoAnswer } from './failure.ts';

export type Request = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Names an action that must not happen twice; the same one again when it is repeated. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** Longer than the slowest answer, a refund over several gateways, may take. */
const GIVE_UP_MS = 40_000;

/**
 * Asks the dashboard's backend and resolves with the body of success. Rejects with an ApiFailure, or with NoAnswer when
 * none came. Always JSON and always this site's own: that is what the backend's protection against other sites asks for.
 */
export async function send<T>(path: string, request: Request = {}): Promise<T> {
  const { method = 'GET', body, idempotencyKey, signal } = request;
  const over = AbortSignal.timeout(GIVE_UP_MS);
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
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
    // A success without its body is one whose content nobody knows.
    if (response.ok && response.status !== 204) throw new NoAnswer(error);
    return undefined;
  });
  if (!response.ok) throw new ApiFailure(response.status, answer);
  return answer as T;
}
