import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeEvents, type NewEvent } from '../../db/events.ts';
import { failAfter, failBefore } from '../../fail-points.ts';

/** The events table is the inbox of this consumer. */
export const CONSUMER = 'webhook-events';
countDuplicates(CONSUMER, 0);

/**
 * Stores an event and its deliveries; resolves when they are committed. Events that arrive while a statement runs share the
 * next one. An event that cannot be stored fails alone.
 */
export function takeEvent(o: {
  readonly db: Db;
  readonly wake: () => void;
}): (event: NewEvent) => Promise<void> {
  const take = async (events: readonly NewEvent[]): Promise<undefined[]> => {
    failBefore('intake');
    const { events: newEvents, deliveries } = await takeEvents(o.db, events);
    failAfter('intake');
    countDuplicates(CONSUMER, events.length - newEvents);
    if (deliveries > 0) o.wake();
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
