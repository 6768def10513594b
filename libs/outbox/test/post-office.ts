import { openBus, type Bus } from '@gp/bus';
import { openPg, unprepared, type Db } from '@gp/pg';
import { eventually, testDatabase, testNats, type OwnServer, type TestDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { outboxMigrations, type OutboxMessage, type RelayOptions } from '../src/index.ts';

export const SCHEMA = 'mail';

export type PostOffice = {
  readonly database: TestDatabase;
  readonly nats: OwnServer;
  readonly db: Db;
  readonly bus: Bus;
  close(): Promise<void>;
};

/** An outbox in a database of its own, and a NATS server with the streams. */
export async function openPostOffice(): Promise<PostOffice> {
  const [database, nats] = await Promise.all([
    testDatabase({ schemas: [{ schema: SCHEMA, directories: [outboxMigrations] }] }),
    testNats(),
  ]);
  const db = await openPg({ url: database.url(SCHEMA), name: 'post-office', connectTimeoutMs: 30_000 });
  const bus = await openBus({ servers: nats.url, name: 'post-office' });
  await eventually(() => bus.isConnected() || undefined);
  await bus.ensureStreams();
  return {
    database,
    nats,
    db,
    bus,
    async close() {
      await bus.close();
      await db.close();
      await Promise.all([database.drop(), nats.stop()]);
    },
  };
}

export const quiet: RelayOptions['log'] = { info: () => undefined, warn: () => undefined };

let subjects = 0;
/** A subject no other test publishes on. */
export const freshSubject = (): string => `evt.trial.thing.told.v1.${process.pid}-${++subjects}`;

export function buildMessage(subject: string, n: number, groupKey = 'group'): OutboxMessage {
  return { id: uuidv7(), subject, groupKey, mode: 'test', payload: { n } };
}

const unsent = unprepared<{ n: number }>(
  `select (payload->>'n')::int as n from outbox where sent_at is null order by position`,
);

/** The `n` of every message still to be sent, oldest first. */
export async function listUnsent(db: Db): Promise<number[]> {
  return (await db.query(unsent)).map((row) => row.n);
}

export type Mailbox = {
  readonly received: { id: string; n: number }[];
  has(count: number): Promise<void>;
  close(): Promise<void>;
};

/** Collects what the stream holds and will hold for a subject, in the stream's order. */
export function openMailbox(bus: Bus, subject: string): Mailbox {
  const received: { id: string; n: number }[] = [];
  let wanted = Infinity;
  let arrived: () => void = () => undefined;
  const consumer = bus.consume({
    durable: `trial-${uuidv7()}`,
    stream: 'EVENTS',
    filters: [subject],
    maxInFlight: 1,
    handler: (m) => {
      received.push({ id: m.id, n: (m.payload as { n: number }).n });
      if (received.length >= wanted) arrived();
      return Promise.resolve();
    },
    onDead: () => Promise.resolve(),
  });
  return {
    received,
    has(count) {
      return new Promise((resolve) => {
        if (received.length >= count) return resolve();
        [wanted, arrived] = [count, resolve];
      });
    },
    close: () => consumer.close(),
  };
}
