import { setTimeout as delay } from 'node:timers/promises';
import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Logger } from '@gp/telemetry';
import { recordOutcomes, type Outcome } from '../db/outcomes.ts';
import { failAfter, failBefore } from '../fail-points.ts';

/** Between two tries to record while the database is away: short against the lease that is running. */
const RETRY_MS = 250;

/**
 * Records outcomes; those that arrive while a statement runs share the next one. While the database is away it tries
 * until the claim's lease ends: after that the delivery is somebody else's and will be sent again. Answers whether
 * the claim still owned its delivery.
 */
export function outcomeRecorder(o: {
  readonly db: Db;
  readonly log: Logger;
  readonly maxQueued: number;
}): (outcome: Outcome, leaseEndsMs: number) => Promise<boolean> {
  const record = naturalBatch<Outcome, boolean>({
    maxSize: 100,
    maxQueued: o.maxQueued,
    // One statement at Postgres while the next one fills.
    inFlight: 2,
    overloaded: () => new AppError('service_unavailable'),
    async run(outcomes) {
      failBefore('outcome');
      const owned = await recordOutcomes(o.db, outcomes).catch((error: unknown) =>
        isWeather(error) ? Promise.reject(error as Error) : oneByOne(o, outcomes),
      );
      failAfter('outcome');
      return owned;
    },
  });
  return async (outcome, leaseEndsMs) => {
    for (;;) {
      try {
        return await record(outcome);
      } catch (error) {
        if (!isWeather(error) || performance.now() + RETRY_MS >= leaseEndsMs) throw error;
        await delay(RETRY_MS);
      }
    }
  };
}

/** An outcome that cannot be stored must not take its batch with it, nor be sent again for ever. */
async function oneByOne(
  o: { readonly db: Db; readonly log: Logger },
  outcomes: readonly Outcome[],
): Promise<(boolean | Error)[]> {
  const one = async (outcome: Outcome): Promise<boolean | Error> => {
    try {
      return (await recordOutcomes(o.db, [outcome]))[0] ?? false;
    } catch (err) {
      if (isWeather(err) || outcome.attempt === null) return err as Error;
      const { endpoint_id, event_id } = outcome.claim;
      o.log.error({ endpoint_id, event_id, err }, 'webhook attempt stored without the answer');
      const attempt = { ...outcome.attempt, responseBody: null };
      return (await recordOutcomes(o.db, [{ ...outcome, attempt }]))[0] ?? false;
    }
  };
  const verdicts: (boolean | Error)[] = [];
  for (const outcome of outcomes) verdicts.push(await one(outcome).catch((error: unknown) => error as Error));
  return verdicts;
}

/** The database is away, or two transactions got in each other's way: the same statement may succeed soon. */
function isWeather(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'service_unavailable' || error.code === 'conflict');
}
