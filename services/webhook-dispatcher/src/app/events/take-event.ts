import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeEvents, type ClaimAtOnce, type NewEvent, type TakenEvents } from '../../db/events.ts';
import { failAfter, failBefore } from '../../fail-points.ts';

/** The events table is the inbox of this consumer. */
export const CONSUMER = 'webhook-events';
countDuplicates(CONSUMER, 0);

/**
 * Stores an event and its deliveries; resolves when they are committed. Events that arrive while a statement runs share the
 * next one. An event that cannot be stored fails alone. `claimAtOnce`: of the dispatcher that sends what the statement
 * claimed; `wake` is called for the other deliveries.
 */
export function takeEvent(o: {
  readonly db: Db;
  readonly claimAtOnce: (store: (claim: ClaimAtOnce) => Promise<TakenEvents>) => Promise<TakenEvents>;
  readonly wake: () => void;
}): (event: NewEvent) => Promise<void> {
  const take = async (events: readonly NewEvent[]): Promise<undefined[]> => {
    const taken = await o.claimAtOnce(async (claim) => {
      failBefore('intake');
      const stored = await takeEvents(o.db, events, claim);
      failAfter('intake');
      return stored;
    });
    countDuplicates(CONSUMER, events.length - taken.events);
    if (taken.deliveries > taken.claims.length) o.wake();
    return events.map(() => undefined);
  };
  return naturalBatch<NewEvent, undefined>({
    maxSize: 100,
    maxQueued: 2_000,
    overloaded: () => new AppError('service_unavailable'),
    async run(events) {
      try {
        return await take(events);
      } catch (error) {
        if (error instanceof AppError || events.length === 1) throw error;
        return runOneByOne(events, take);
      }
    },
  });
}

async function runOneByOne(
  events: readonly NewEvent[],
  take: (events: readonly NewEvent[]) => Promise<undefined[]>,
): Promise<(undefined | Error)[]> {
  const results: (undefined | Error)[] = [];
  for (const event of events) {
    results.push(
      await take([event]).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    );
  }
  return results;
}
