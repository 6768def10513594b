import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';

/** Throws what was found where it is not what was wanted. */
export function must(what: string, found: unknown, wanted: unknown): void {
  const [is, shall] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== shall) throw new Error(`${what}: ${is}, not ${shall}`);
}

/** Waits until a condition holds; a query that fails is repeated. */
export async function until(what: string, isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
    if (await isSo().catch(() => false)) return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`${what}: not within ${withinMs} ms`);
  }
}
