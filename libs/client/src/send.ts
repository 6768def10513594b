import { GroupPaymentsError, NoAnswerError } from './failure.ts';

export type Settings = {
  /** `sk_test_…`, `sk_live_…` or a session token. */
  readonly key: string;
  /** The address of the API, without a path. */
  readonly baseUrl: string;
  /** The time limit of one try, ms; 40 s by default: a confirm may wait for its gateway. */
  readonly timeoutMs?: number;
  /** Further tries after the first; 4 by default. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  /** Waits so many ms; for tests. */
  readonly sleep?: (ms: number) => Promise<void>;
};

export type Sending = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

type ApiReply = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A response that asks for a longer wait than this is reported instead. */
const LONGEST_WAIT_ASKED_MS = 30_000;

/**
 * Sends until there is a response that a repetition cannot change. Lost connections, 408, 429, 5xx and a key in use are
 * retried with the same key, so the action happens once. Rejects with a GroupPaymentsError or NoAnswerError.
 */
export async function send(settings: Settings, sending: Sending): Promise<unknown> {
  const { retries = 4, sleep = pause } = settings;
  // Programs without types pass what their environment does not have.
  if ((settings.key || '').trim() === '')
    throw new TypeError(
      'the key is empty: give openClient a secret key of the dashboard, or a session token',
    );
  for (let tries = 0; ; tries++) {
    const { answer, error } = await once(settings, sending);
    if (answer && answer.status < 300) return answer.body;
    sending.signal?.throwIfAborted();
    const failure = answer
      ? new GroupPaymentsError(answer.status, answer.body, answer.headers)
      : new NoAnswerError(`${sending.method} ${sending.path}`, error);
    const waitMs = computeWait(failure, tries);
    if (tries >= retries || waitMs === undefined || !isRepeatable(sending)) throw failure;
    await sleep(waitMs);
  }
}

/** A creation without a key might happen twice; every other request may be repeated. */
function isRepeatable({ method, path, idempotencyKey }: Sending): boolean {
  return method !== 'POST' || idempotencyKey !== undefined || path.endsWith('/confirm');
}

/** Returns the wait before the next try; undefined when no try can help. */
function computeWait(failure: GroupPaymentsError | NoAnswerError, tries: number): number | undefined {
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
  if (failure instanceof NoAnswerError) return backoff;
  const { status, code, retryAfter } = failure;
  // A 502 is the final refusal of every gateway.
  const isPassing =
    (status >= 500 && status !== 502) ||
    status === 408 ||
    status === 429 ||
    code === 'idempotency_key_in_use';
  if (!isPassing) return undefined;
  const asked = (retryAfter ?? 0) * 1_000;
  return asked > LONGEST_WAIT_ASKED_MS ? undefined : Math.max(asked, backoff);
}

async function once(
  { key, baseUrl, timeoutMs = 40_000, fetch: ask = fetch }: Settings,
  { method, path, body, idempotencyKey, signal }: Sending,
): Promise<{ answer?: ApiReply; error?: unknown }> {
  const timeUp = AbortSignal.timeout(timeoutMs);
  try {
    const response = await ask(toAddress(baseUrl, path), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeUp]) : timeUp,
    });
    const { status, headers } = response;
    return { answer: { status, headers, body: parsed(await response.text()) } };
  } catch (error) {
    return { error };
  }
}

/** Returns the address of a path of the API. */
export const toAddress = (baseUrl: string, path: string): string => baseUrl.replace(/\/+$/, '') + path;

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
