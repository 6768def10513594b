import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';

export type Answered = {
  readonly status: number;
  readonly body: string;
  readonly cookies: string;
  readonly ms: number;
};

/**
 * A client with an address of its own: all of 127.0.0.0/8 is this machine, and limits by address count each address
 * apart. `n` is the last part of the address.
 */
export function openVisitor(n: number, headers: Readonly<Record<string, string>> = {}) {
  const agent = new Agent({ localAddress: `127.0.0.${n}`, connections: 64, pipelining: 1 });
  const ask = async (
    method: Dispatcher.HttpMethod,
    url: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answered> => {
    const { origin, pathname, search } = new URL(url);
    const startedAt = performance.now();
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    });
    const text = await answer.body.text();
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0] ?? '');
    const ms = performance.now() - startedAt;
    return { status: answer.statusCode, body: text, cookies: cookies.join('; '), ms };
  };
  return {
    get: (url: string, more?: Record<string, string>) => ask('GET', url, undefined, more),
    post: (url: string, body: unknown = {}, more?: Record<string, string>) => ask('POST', url, body, more),
    close: () => agent.close(),
  };
}
export type Visitor = ReturnType<typeof openVisitor>;

/**
 * A flood that goes on until it is stopped: at most so many requests in flight, and so many a second, for a flood
 * without a pace would measure how two cores are shared. `stop` counts the answers by status.
 */
export function startFlood(
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
  send: (nth: number) => Promise<{ status: number }>,
) {
  const startedAt = performance.now();
  let isOver = false;
  let nth = 0;
  const statuses: Record<number, number> = {};
  const sender = async (): Promise<void> => {
    while (!isOver) {
      const turn = nth++;
      const wait = startedAt + (turn / perSecond) * 1_000 - performance.now();
      if (wait > 0) await delay(wait);
      const { status } = await send(turn);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const senders = Promise.all(Array.from({ length: atOnce }, sender));
  return {
    async stop(): Promise<Readonly<Record<number, number>>> {
      isOver = true;
      await senders;
      return statuses;
    },
  };
}

/** A well-formed secret that was never issued. */
export const bogus = (bytes = 32): string => randomBytes(bytes).toString('base64url');
