import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool, type Dispatcher } from 'undici';

/** One request that is repeated for as long as the load lasts. */
export type Ask = {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const keyFor = (method: string) => (method === 'POST' ? { 'idempotency-key': randomUUID() } : {});

export type SteadyLoad = {
  /** Everything that was not a 2xx, connections that broke included; nothing is tried again. */
  readonly failures: readonly string[];
  readonly answered: () => number;
  /** Latencies since the last look, each from the moment it should have been sent, ascending, ms. */
  take(): number[];
  stop(): Promise<void>;
};

/**
 * Sends requests in turn at a fixed rate, independent of the answers, over connections that are kept alive. As proxies
 * and browsers do, it sends a request once more where the other side closed a kept connection before a byte of an answer
 * (RFC 9112, 9.3.1): on a new one, since the other side may have closed all the others too.
 */
export function steadyLoad(asks: readonly Ask[], perSecond: number): SteadyLoad {
  const pools = new Map(
    asks.map(({ origin }) => [origin, new Pool(origin, { connections: 8, pipelining: 1 })]),
  );
  const failures: string[] = [];
  let latencies: number[] = [];
  let answered = 0;
  let isOver = false;

  const send = async (ask: Ask, dueAt: number): Promise<void> => {
    const { method, path, headers = {}, body = null } = ask;
    const what = `${new Date().toISOString()} ${method} ${ask.origin}${path}`;
    try {
      const pool = pools.get(ask.origin) as Pool;
      const request = { method, path, headers: { ...headers, ...keyFor(method) }, body };
      const response = await pool.request(request).catch((error: unknown) => {
        if (!isClosed(error)) throw error;
      });
      const { status, text } = response ? await read(response) : await askedAnew(ask.origin, request);
      latencies.push(performance.now() - dueAt);
      answered += 1;
      if (status >= 300) failures.push(`${what} answered ${status} ${text}`);
    } catch (error) {
      failures.push(`${what} failed: ${String(error)}`);
    }
  };
  const read = async ({ statusCode: status, body }: Dispatcher.ResponseData) => ({
    status,
    text: await body.text(),
  });
  const askedAnew = async (origin: string, request: Dispatcher.RequestOptions) => {
    const client = new Client(origin);
    try {
      return await read(await client.request(request));
    } finally {
      await client.close();
    }
  };
  const isClosed = (error: unknown): boolean => /other side closed|ECONNRESET/.test(String(error));
  const run = async (): Promise<void> => {
    const startedAt = performance.now();
    const underWay: Promise<void>[] = [];
    for (let index = 0; !isOver; index++) {
      const dueAt = startedAt + (index / perSecond) * 1_000;
      const wait = dueAt - performance.now();
      if (wait > 1) await delay(wait);
      underWay.push(send(asks[index % asks.length] as Ask, dueAt));
    }
    await Promise.all(underWay);
  };
  const running = run();
  return {
    failures,
    answered: () => answered,
    take() {
      const taken = latencies.sort((a, b) => a - b);
      latencies = [];
      return taken;
    },
    async stop() {
      isOver = true;
      await running;
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
