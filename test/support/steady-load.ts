import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openSender, type Ask } from './sender.ts';

const keyFor = (method: string) => (method === 'POST' ? { 'idempotency-key': randomUUID() } : {});

export type SteadyLoad = {
  /** Everything that was not a 2xx, connections that broke included; nothing is tried again. */
  readonly failures: readonly string[];
  readonly answered: () => number;
  /** Latencies since the last look, each from the moment it should have been sent, ascending, ms. */
  take(): number[];
  stop(): Promise<void>;
};

/** Sends requests in turn at a fixed rate, independent of the answers, over connections that are kept alive. */
export function steadyLoad(asks: readonly Ask[], perSecond: number): SteadyLoad {
  const sender = openSender();
  const failures: string[] = [];
  let latencies: number[] = [];
  let answered = 0;

  const send = async (ask: Ask, dueAt: number): Promise<void> => {
    const what = `${new Date().toISOString()} ${ask.method} ${ask.origin}${ask.path}`;
    try {
      const headers = { ...ask.headers, ...keyFor(ask.method) };
      const { status, text } = await sender.send({ ...ask, headers });
      latencies.push(performance.now() - dueAt);
      answered += 1;
      if (status >= 300) failures.push(`${what} answered ${status} ${text}`);
    } catch (error) {
      failures.push(`${what} failed: ${String(error)}`);
    }
  };
  const rate = atRate(perSecond, (index, dueAt) => send(asks[index % asks.length] as Ask, dueAt));
  return {
    failures,
    answered: () => answered,
    take() {
      const taken = latencies.sort((a, b) => a - b);
      latencies = [];
      return taken;
    },
    async stop() {
      await rate.stop();
      await sender.close();
    },
  };
}

/**
 * Does something at a fixed rate, however long each takes; `dueAt` is when it should have begun (`performance.now()`).
 * `stop` resolves when all that began has ended.
 */
export function atRate(
  perSecond: number,
  act: (index: number, dueAt: number) => Promise<void>,
): { stop(): Promise<void> } {
  let isOver = false;
  const run = async (): Promise<void> => {
    const startedAt = performance.now();
    const underWay: Promise<void>[] = [];
    for (let index = 0; !isOver; index++) {
      const dueAt = startedAt + (index / perSecond) * 1_000;
      const wait = dueAt - performance.now();
      if (wait > 1) await delay(wait);
      underWay.push(act(index, dueAt));
    }
    await Promise.all(underWay);
  };
  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}
