import { setTimeout as delay } from 'node:timers/promises';
import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Logger } from '@gp/telemetry';
import { recordEndedClaims, type EndedClaim, type RecordedClaim } from '../../db/ended-claims.ts';
import { failAfter, failBefore } from '../../fail-points.ts';

/** Pause between two tries while the database is away: short compared with a lease. */
const RETRY_MS = 250;

/**
 * Records ended claims; those that arrive while a statement runs share the next one. While the database is away it retries
 * until the claim's lease ends: then another worker owns the delivery and sends it again.
 */
export function openClaimRecorder(o: {
  readonly db: Db;
  readonly log: Logger;
  readonly maxQueued: number;
}): (outcome: EndedClaim, leaseEndsMs: number) => Promise<RecordedClaim> {
  const record = naturalBatch<EndedClaim, RecordedClaim>({
    maxSize: 100,
    maxQueued: o.maxQueued,
    // One statement at Postgres while the next one fills.
    inFlight: 2,
    overloaded: () => new AppError('service_unavailable'),
    async run(outcomes) {
      failBefore('outcome');
      const owned = await recordEndedClaims(o.db, outcomes).catch((error: unknown) =>
        isTransient(error) ? Promise.reject(error as Error) : runOneByOne(o, outcomes),
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
        if (!isTransient(error) || performance.now() + RETRY_MS >= leaseEndsMs) throw error;
        await delay(RETRY_MS);
      }
    }
  };
}

const NOT_RECORDED: RecordedClaim = { isOurs: false, isMoreDue: true };

/** Records each alone: one that cannot be stored must not fail its batch, nor be sent again for ever. */
async function runOneByOne(
  o: { readonly db: Db; readonly log: Logger },
  outcomes: readonly EndedClaim[],
): Promise<(RecordedClaim | Error)[]> {
  const one = async (outcome: EndedClaim): Promise<RecordedClaim | Error> => {
    try {
      return (await recordEndedClaims(o.db, [outcome]))[0] ?? NOT_RECORDED;
    } catch (err) {
      if (isTransient(err) || outcome.attempt === null) return err as Error;
      const { endpoint_id, event_id } = outcome.claim;
      o.log.error({ endpoint_id, event_id, err }, 'webhook attempt stored without the answer');
      const attempt = { ...outcome.attempt, responseBody: null };
      return (await recordEndedClaims(o.db, [{ ...outcome, attempt }]))[0] ?? NOT_RECORDED;
    }
  };
  const results: (RecordedClaim | Error)[] = [];
  for (const outcome of outcomes) results.push(await one(outcome).catch((error: unknown) => error as Error));
  return results;
}

/** Whether the database is away or two transactions conflicted: the same statement may succeed soon. */
function isTransient(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'service_unavailable' || error.code === 'conflict');
}
