import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ask, Reply, Sender } from '../../support/sender.ts';
import type { Exchange } from './report.ts';

/** Longer than any drill keeps a request from its answer. */
const PATIENCE_MS = 120_000;

export type Clients = {
  /** Every request that ended. */
  readonly exchanges: readonly Exchange[];
  /** Sends a request once; resolves with undefined when it failed, which is noted. */
  once(ask: Ask, dueAt?: number): Promise<Reply | undefined>;
  /** Sends a request under one key until it succeeds; each failure is noted. Rejects after two minutes or at a refusal. */
  untilDone<T>(ask: Ask): Promise<T>;
};

/** Clients of the platform's public hosts, which note how each of their requests ended. */
export function openClients(sender: Sender): Clients {
  const exchanges: Exchange[] = [];
  const once = async (ask: Ask, dueAt = performance.now()): Promise<Reply | undefined> => {
    const what = `${new Date().toISOString()} ${ask.method} ${ask.origin}${ask.path}`;
    const note = (failure?: string) => {
      const endedAt = performance.now();
      exchanges.push({ endedAt, ms: endedAt - dueAt, ...(failure !== undefined && { failure }) });
    };
    const key = ask.method === 'POST' && { 'idempotency-key': randomUUID() };
    try {
      const reply = await sender.send({ ...ask, headers: { ...key, ...ask.headers } });
      note(isSuccess(reply) ? undefined : `${what} answered ${describe(reply)}`);
      return reply;
    } catch (error) {
      note(`${what} failed: ${String(error)}`);
      return undefined;
    }
  };
  return {
    exchanges,
    once,
    async untilDone<T>(ask: Ask) {
      const headers = { 'idempotency-key': randomUUID(), ...ask.headers };
      for (const giveUpAt = Date.now() + PATIENCE_MS; ; await delay(500)) {
        const reply = await once({ ...ask, headers });
        if (reply && isSuccess(reply)) return JSON.parse(reply.text) as T;
        const isRefused = reply && reply.status < 500 && reply.status !== 429 && !isInUse(reply);
        if (isRefused || Date.now() > giveUpAt)
          throw new Error(
            `${ask.method} ${ask.path} ended with ${reply?.status ?? 'no answer'}: ${reply?.text}`,
          );
      }
    },
  };
}

/** A 503 that does not say when to ask again is named as such. */
function describe({ status, text, hasRetryAfter }: Reply): string {
  return `${status}${status === 503 && !hasRetryAfter ? UNADVISED : ''} ${text.slice(0, 200)}`;
}
export const UNADVISED = ' without Retry-After';

const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
const isInUse = ({ text }: Reply): boolean => text.includes('idempotency_key_in_use');
