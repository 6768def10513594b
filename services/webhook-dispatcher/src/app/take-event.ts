import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeEvents, type NewEvent } from '../db/events.ts';
import { failAfter, failBefore } from '../fail-points.ts';

/** Its inbox is the events themselves. */
export const CONSUMER = 'webhook-events';
countDuplicates(CONSUMER, 0);

/**
 * Takes an event for delivery; resolves when it and its deliveries are committed. Events that arrive while a
 * statement runs share the next one; a bad one among them fails alone.
 */
export function takeEvent(o: {
  readonly db: Db;
  readonly wake: () => void;
}): (event: NewEvent) => Promise<void> {
  const take = async (events: readonly NewEvent[]): Promise<undefined[]> => {
    failBefore('intake');
    const { events: news, deliveries } = await takeEvents(o.db, events);
    failAfter('intake');
    countDuplicates(CONSUMER, events.length - news);
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
        return oneByOne(events, take);
      }
    },
  });
}

async function oneByOne(
  events: readonly NewEvent[],
  take: (events: readonly NewEvent[]) => Promise<undefined[]>,
): Promise<(undefined | Error)[]> {
  const verdicts: (undefined | Error)[] = [];
  for (const event of events) {
    verdicts.push(
      await take([event]).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    );
  }
  return verdicts;
}
