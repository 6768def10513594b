import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, catalogue, toHttp, type ErrorCode } from '@gp/errors';
import type { Seal } from '@gp/seal';
import { metrics, type Logger } from '@gp/telemetry';
import type { IdempotencyStore, KnownKey } from '../../db/idempotency-keys.ts';
import { freshIdentity, deriveIdentity, type Command, type Identity } from './command.ts';

/** A final response, as text, so that a repetition gets the very same bytes. */
export type StoredResponse = {
  readonly status: number;
  readonly text: string;
  /** The id of the original request, when this request repeats it. */
  readonly replayOf?: string;
};

export type Act = (identity: Identity) => Promise<{ readonly status: number; readonly body: unknown }>;
type Parts = {
  readonly store: IdempotencyStore;
  readonly seal: Seal;
  readonly log: Logger;
  /** The address of the reference, to which recorded errors link. */
  readonly docsUrl?: string;
};
export type OnceOnly = (command: Command, act: Act) => Promise<StoredResponse>;

/** How long a repetition waits for the original request to end (Q12). */
const WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** Refusals of the input itself: nothing was started, so the key stays free for the corrected request. */
const INPUT_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'validation_error',
  'idempotency_key_reused',
  'conflict',
  'payload_too_large',
]);

const keyed = metrics.counter({
  name: 'gp_idempotency_requests_total',
  help: 'Requests with an Idempotency-Key by what became of them',
  unit: 'requests',
  labels: ['outcome'],
  zero: ['begun', 'replayed', 'resumed', 'reused', 'in_use'].map((outcome) => ({ outcome })),
});

/**
 * Lets a command with an Idempotency-Key act once, however often and wherever it is repeated. A finished command
 * returns its recorded response; a repetition waits for one in flight; one whose process died is resumed under the
 * same identity, which the executing service recognises. Without a key nothing is recorded or looked up.
 *
 * Rejects with `idempotency_key_reused` for another input, and with `idempotency_key_in_use` after waiting.
 */
export function onceOnly(o: Parts): OnceOnly {
  return async (command, act) => {
    if (command.key === undefined) return toAnswer(await act(freshIdentity()));
    const identity = deriveIdentity(command, command.key);
    const lease = randomUUID();
    const known = await begin(o.store, command, identity, lease);
    if (known) {
      const { status, sealed, requestId } = known;
      const text = o.seal.open(sealed, identity.command_id);
      return { status, text, replayOf: requestId };
    }
    return actAndKeep(o, { command, identity, lease }, act);
  };
}

/** Takes the lease, or returns the recorded outcome of the finished command. */
async function begin(
  store: IdempotencyStore,
  command: Command,
  identity: Identity,
  lease: string,
): Promise<KnownKey['outcome']> {
  const { merchantId, mode } = command.caller;
  const claim = { ...identity, lease, merchantId, mode, requestId: command.requestId };
  const waitUntil = performance.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await store.begin(claim);
    if (found.isBegun) return counted('begun', undefined);
    if (found.known && found.known.fingerprint !== identity.fingerprint) {
      throw counted('reused', new AppError('idempotency_key_reused'));
    }
    if (found.known?.outcome) return counted('replayed', found.known.outcome);
    if (found.known?.isFree && (await store.takeOver(claim))) return counted('resumed', undefined);
    if (performance.now() >= waitUntil) throw counted('in_use', new AppError('idempotency_key_in_use'));
    await delay(pauseMs);
  }
}

type Held = { readonly command: Command; readonly identity: Identity; readonly lease: string };

/**
 * Acts under the lease and records a final response. A record that cannot be written does not change the response:
 * the next repetition resumes, and the executing service returns the same result.
 */
async function actAndKeep(o: Parts, { command, identity, lease }: Held, act: Act): Promise<StoredResponse> {
  const own = { command_id: identity.command_id, lease };
  const recorded = (writing: Promise<unknown>): Promise<unknown> =>
    writing.catch((err: unknown) =>
      o.log.warn({ request_id: command.requestId, err }, 'could not update the idempotency record'),
    );
  const keep = (answer: StoredResponse): Promise<unknown> =>
    recorded(
      o.store.keep({ ...own, status: answer.status, sealed: o.seal.seal(answer.text, identity.command_id) }),
    );
  try {
    const answer = toAnswer(await act(identity));
    await keep(answer);
    return answer;
  } catch (error) {
    const { status, body } = toHttp(error, command.requestId, o.docsUrl);
    const code = error instanceof AppError ? error.code : 'internal_error';
    // An ended session is no answer to the request: it is not kept, and the key stays free (Q12).
    const isUndecided = status >= 500 || code === 'unauthorized' || catalogue[code].retryable;
    if (isUndecided) await recorded(o.store.letGo(own));
    else if (INPUT_REFUSALS.has(code)) await recorded(o.store.discard(own));
    else await keep({ status, text: JSON.stringify(body) });
    throw error;
  }
}

function toAnswer({ status, body }: { status: number; body: unknown }): StoredResponse {
  return { status, text: JSON.stringify(body) };
}

function counted<T>(outcome: string, value: T): T {
  keyed.inc({ outcome });
  return value;
}
