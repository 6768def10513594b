import { randomUUID } from 'node:crypto';
import { openBus } from '@gp/bus';
import { publicEventSubject } from '@gp/contracts';
import { insertOutbox, outboxRelay, type OutboxMessage } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { newEvent } from '../../support/webhook-load.ts';
import { inBatches } from './delivery.ts';
import { serveWorks } from './work-server.ts';

// The platform's relay, and the same messages published by the client of JetStream. Each work returns the seconds until
// the server has acknowledged all messages, and the relay has marked its rows; making the messages does not count.
const WRITTEN_AT_ONCE = 500;
/** Twice as many as the relay has. */
const IN_FLIGHT = 200;
const servers = process.env['NATS_URL'] ?? '';
const db = await openPg({ url: process.env['DATABASE_URL'] ?? '', name: 'relay' });
const bus = await openBus({ servers, name: 'relay' });
await bus.ensureStreams();
const warn = (...line: unknown[]): void => console.warn(...line);
const log = { info: () => undefined, warn };
// Only the first publication is measured.
const relay = outboxRelay({ db, bus, log, isRepeated: () => false });
const connection = await connect({ servers });
const client = jetstream(connection);
const manager = await jetstreamManager(connection);
const running = new AbortController();

serveWorks({
  relay: (count) =>
    storing(count, async () => {
      for (const batch of inBatches(buildMessages(count), WRITTEN_AT_ONCE)) await insertOutbox(db, batch);
      const startedAt = performance.now();
      do await passOn();
      while ((await countUnsent()) > 0);
      return performance.now() - startedAt;
    }),
  plain: (count) =>
    storing(count, async () => {
      const messages = buildMessages(count)
        .map(({ id, subject, payload }) => ({ id, subject, body: JSON.stringify(payload) }))
        .values();
      const publishOnAndOn = async (): Promise<void> => {
        for (const { id, subject, body } of messages) {
          const meta = headers();
          meta.set('gp-mode', 'test');
          await client.publish(subject, body, { msgID: id, headers: meta });
        }
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: IN_FLIGHT }, publishOnAndOn));
      return performance.now() - startedAt;
    }),
});

/** Runs passes of the relay until one finds no more. */
async function passOn(): Promise<void> {
  let result: string;
  do result = await relay.runOnce(running.signal);
  while (result === 'busy');
}

/** Runs work that publishes so many messages; returns its seconds. Throws unless the stream has that many more. */
async function storing(count: number, work: () => Promise<number>): Promise<number> {
  const before = await countStored();
  const tookMs = await work();
  const stored = (await countStored()) - before;
  if (stored !== count) throw new Error(`${stored} of ${count} messages are in the stream`);
  return tookMs / 1_000;
}

async function countStored(): Promise<number> {
  return (await manager.streams.info('EVENTS')).state.messages;
}

async function countUnsent(): Promise<number> {
  const { rows } = await db.pool.query<{ unsent: number }>(
    'select count(*)::int as unsent from outbox where sent_at is null',
  );
  return rows[0]?.unsent ?? NaN;
}

/** Events of as many groups, so that none waits for another. */
function buildMessages(count: number): OutboxMessage[] {
  return Array.from({ length: count }, () => {
    const event = newEvent(randomUUID());
    return {
      id: event.id,
      subject: publicEventSubject(event.type, event.group_id),
      groupKey: event.group_id,
      mode: event.mode,
      payload: event,
    };
  });
}
