import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import type { StackFile } from '../support/stack.ts';

/** Waits until a service that was just started answers its readiness probe. */
export async function becomesReady(stack: StackFile, service: string, withinMs = 90_000): Promise<void> {
  const url = stack.services[service]?.health;
  if (url === undefined) throw new Error(`no service ${service}`);
  for (const giveUpAt = Date.now() + withinMs; ; await delay(50)) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`${service} did not become ready`);
  }
}
