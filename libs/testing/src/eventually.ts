import { inspect } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from './timeout-error.ts';

/**
 * Resolves with the first value other than `undefined` that the probe returns. A probe that throws is repeated;
 * when the time is over the last error is the cause of the rejection. For outcomes of other processes; where a
 * signal exists, await the signal.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined> | T | undefined,
  { withinMs = 60_000 }: { withinMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  let reason: unknown;
  do {
    try {
      const value = await probe();
      if (value !== undefined) return value;
      reason = undefined;
    } catch (cause) {
      reason = cause;
    }
    await delay(20);
  } while (Date.now() < deadline);
  const why = reason === undefined ? '' : ` The last attempt failed: ${inspect(reason)}`;
  throw new TimeoutError(`It did not happen within ${withinMs} ms.${why}`, { cause: reason });
}
