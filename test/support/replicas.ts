import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';

/** Whether a process says of itself that it can take new work. */
export function isReady({ metricsPort }: { readonly metricsPort: number }): Promise<boolean> {
  return fetch(`http://127.0.0.1:${metricsPort}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

/** Starts a replica that was stopped, and waits until it is ready. */
export async function startAgain(replica: { readonly metricsPort: number; start(): Promise<void> }) {
  await replica.start();
  for (const giveUpAt = Date.now() + 60_000; !(await isReady(replica)); await delay(50))
    if (Date.now() > giveUpAt) throw new TimeoutError('a replica did not become ready');
}

/** A metric that a process exports, summed over its labels. */
export async function readMetric({ metricsPort }: { readonly metricsPort: number }, name: string) {
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = page
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
