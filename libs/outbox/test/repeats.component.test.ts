import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { unprepared } from '@gp/pg';
import { setTimeout as delay } from 'node:timers/promises';
import { insertOutbox, outboxRelay, type OutboxRelay, type RelayOptions } from '../src/index.ts';
import { buildMessage, freshSubject, openPostOffice, quiet, type PostOffice } from './post-office.ts';

let office: PostOffice;
let subject: string;
let isAway: boolean;
let streams: string;
let published: number[];
/** Messages whose publication fails. */
let failing: Set<number>;
let publishedAt: number[];
const relays: OutboxRelay[] = [];
const running = new AbortController().signal;
const AFTER_MS = 300;

beforeAll(async () => {
  office = await openPostOffice();
});
beforeEach(async () => {
  subject = freshSubject();
  isAway = false;
  streams = 'as created';
  published = [];
  failing = new Set();
  publishedAt = [];
  await office.db.query(unprepared('delete from outbox'));
});
afterEach(() => Promise.all(relays.splice(0).map((relay) => relay.close())));
afterAll(() => office.close());

/** A bus that acknowledges every message and keeps none, as one that loses its disk afterwards. */
const bus: RelayOptions['bus'] = {
  isConnected: () => true,
  identifyStreams: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(streams)),
  redeliver: () => Promise.resolve(),
  publish: (m) => {
    const { n } = m.payload as { n: number };
    if (isAway || failing.has(n))
      return Promise.reject(new AppError('service_unavailable', { retryAfterSeconds: 1 }));
    published.push(n);
    publishedAt.push(performance.now());
    return Promise.resolve();
  },
};

function open(changes: Partial<RelayOptions> = {}): OutboxRelay {
  const relay = outboxRelay({ db: office.db, bus, log: quiet, repeatAfterMs: AFTER_MS, ...changes });
  relays.push(relay);
  return relay;
}

const write = (...numbers: number[]): Promise<void> =>
  insertOutbox(
    office.db,
    numbers.map((n) => buildMessage(subject, n)),
  );

/** Runs passes until a second after the last message was due again. */
async function runOn(relay: OutboxRelay): Promise<void> {
  for (const until = Date.now() + AFTER_MS + 1_300; Date.now() < until; await delay(50))
    await relay.runOnce(running);
}

describe('a message that the bus acknowledged and lost (F9)', () => {
  it('a message that the bus lost is published a second time after a pause, in order, and not a third time (F9)', async () => {
    await write(1, 2, 3);
    const relay = open();
    await relay.runOnce(running);
    await runOn(relay);
    await runOn(relay);
    expect(published).toEqual([1, 2, 3, 1, 2, 3]);
    // The pause begins when the first publication is stored, which is after it.
    const [, , thirdAt = 0, repeatedAt = 0] = publishedAt;
    expect(repeatedAt - thirdAt).toBeGreaterThanOrEqual(AFTER_MS);
  });

  it('a lost message is published a second time by the next leader when the first one died before (F9)', async () => {
    await write(1);
    const first = open();
    await first.runOnce(running);
    await first.close();
    await runOn(open());
    expect(published).toEqual([1, 1]);
  });

  it('a lost message comes again in full when the bus was away during the second publication (F9)', async () => {
    await write(1, 2);
    const relay = open();
    await relay.runOnce(running);
    isAway = true;
    await runOn(relay);
    expect(published).toEqual([1, 2]);
    isAway = false;
    await runOn(relay);
    expect(published).toEqual([1, 2, 1, 2]);
  });

  it('a bus that fails in the middle of the second publication gets what is left, and no message a third time (F9)', async () => {
    await write(1, 2, 3, 4);
    const relay = open();
    await relay.runOnce(running);
    failing.add(3);
    await runOn(relay);
    expect(published).toEqual([1, 2, 3, 4, 1, 2]);
    failing.clear();
    await runOn(relay);
    expect(published).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  it('a message that was lost twice is published a third time, and one of two hours ago is not (F9)', async () => {
    await write(1, 2);
    const relay = open();
    await runOn(relay);
    expect(published).toEqual([1, 2, 1, 2]);
    await office.db.query(
      unprepared(`update outbox set sent_at = sent_at - interval '2 hours'
      where payload->>'n' = '1'`),
    );
    streams = 'created anew';
    await runOn(relay);
    expect(published).toEqual([1, 2, 1, 2, 2]);
    await runOn(relay);
    expect(published).toHaveLength(5);
  });

  it('the next leader publishes what was lost twice when the streams were created anew between the two (F9)', async () => {
    await write(1);
    const first = open();
    await runOn(first);
    await first.close();
    streams = 'created anew';
    await runOn(open());
    expect(published).toEqual([1, 1, 1]);
  });

  it('a message is not published a second time when its sender repeats it by other means (F9)', async () => {
    await write(1);
    const relay = open({ isRepeated: (each) => each !== subject });
    await runOn(relay);
    expect(published).toEqual([1]);
  });

  it('a repeated message goes before messages that were not sent yet, and those follow in their turn (F9)', async () => {
    await write(1);
    const relay = open();
    await relay.runOnce(running);
    isAway = true;
    await write(2);
    await runOn(relay);
    isAway = false;
    await runOn(relay);
    await runOn(relay);
    expect(published).toEqual([1, 2, 1, 2]);
  });
});
