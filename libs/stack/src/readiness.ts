import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a service's readiness probe; past the deadline it throws with the last lines of its log. */
export async function becomesReady(
  name: string,
  metricsPort: number,
  withinMs: number,
  logFile: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const deadline = Date.now() + withinMs; ; await delay(100)) {
    signal?.throwIfAborted();
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`, {
      signal: AbortSignal.timeout(2_000),
    })
      .then((response) => response.ok)
      .catch(() => false);
    if (answer) return;
    if (Date.now() > deadline)
      throw new Error(`${name} did not become ready:\n${await lastLines(logFile, name)}`);
  }
}

async function lastLines(file: string, service: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return lines
    .filter((line) => line.includes(`"${service}"`))
    .slice(-15)
    .join('\n');
}
