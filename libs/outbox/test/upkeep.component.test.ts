import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeadMessage } from '@gp/bus';
import type { Mode } from '@gp/contracts';
import { unprepared } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { createOperator } from '@gp/testing';
import {
  backlog,
  claimInbox,
  insertOutbox,
  listDeadLetters,
  outboxRelay,
  outboxRetention,
  recordDeadLetter,
  replayDeadLetter,
  republish,
} from '../src/index.ts';
import { measureBacklog } from '../src/backlog.ts';
import {
  freshSubject,
  buildMessage,
  openMailbox,
  openPostOffice,
  quiet,
  type PostOffice,
  SCHEMA,
} from './post-office.ts';

let office: PostOffice;
const { person: ann } = createOperator('ann', 'act');
const { person: bob } = createOperator('bob', 'act');
const { signal } = new AbortController();
beforeAll(async () => {
  office = await openPostOffice();
});
afterEach(() =>
  office.database.asOwner(SCHEMA, 'truncate outbox, inbox, dead_letters, operator_tasks, operator_actions'),
);
afterAll(() => office.close());

const age = (table: string, column: string, days: number, where = 'true'): Promise<unknown> =>
  office.db.query(
    unprepared(`update ${table} set ${column} = now() - interval '${days} days' where ${where}`),
  );

describe('retention', () => {
  const outboxLeft = unprepared(`select (payload->>'n')::int as n from outbox order by position`);

  it('sent rows are deleted after 15 days, in batches; unsent ones never', async () => {
    const { db } = office;
    await insertOutbox(
      db,
      Array.from({ length: 1_500 }, (_, n) => buildMessage('evt.trial', n)),
    );
    await age('outbox', 'sent_at', 16, `(payload->>'n')::int < 1498`);
    await age('outbox', 'created_at', 90);
    await age('outbox', 'sent_at', 14, `(payload->>'n')::int = 1498`);
    const retention = outboxRetention(db);
    expect([await retention.runOnce(signal), await retention.runOnce(signal)]).toEqual(['busy', 'idle']);
    expect(await db.query(outboxLeft)).toEqual([{ n: 1498 }, { n: 1499 }]);
  });

  it('inbox rows are deleted after 40 days, so a message cannot come back as new before that', async () => {
    const { db } = office;
    await claimInbox(db, 'a', 'old');
    await age('inbox', 'received_at', 41);
    await claimInbox(db, 'a', 'young');
    await age('inbox', 'received_at', 39, `message_id = 'young'`);
    await outboxRetention(db).runOnce(signal);
    expect([await claimInbox(db, 'a', 'old'), await claimInbox(db, 'a', 'young')]).toEqual([true, false]);
  });
});

describe('rows that cannot be sent', () => {
  const outboxLeft = unprepared<{ unsent: boolean; count: number }>(
    `select sent_at is null as unsent, count(*)::int from outbox group by 1 order by 1`,
  );
  const findTasks = () =>
    office.db.query(unprepared(`select details, times, resolved_at is not null as done from operator_tasks`));

  it('rows that cannot be sent do not keep later rows from being deleted, whatever their number (F11)', async () => {
    const { db } = office;
    await insertOutbox(
      db,
      Array.from({ length: 2_500 }, (_, n) => buildMessage('evt.trial', n)),
    );
    await age('outbox', 'created_at', 90);
    await age('outbox', 'sent_at', 16, `(payload->>'n')::int >= 2200`);
    const retention = outboxRetention(db);
    const runs = [];
    for (let n = 0; n < 3; n++) runs.push(await retention.runOnce(signal));
    expect(runs).toEqual(['busy', 'busy', 'idle']);
    expect(await db.query(outboxLeft)).toEqual([{ unsent: true, count: 2_200 }]);
  });

  it('rows that cannot be sent for an hour open an operator task, which counts changes and not looks (F11)', async () => {
    const { db } = office;
    const retention = outboxRetention(db);
    const messages = [1, 2, 3].map((n) => buildMessage('evt.trial.stuck', n));
    await insertOutbox(db, messages);
    await retention.runOnce(signal);
    expect(await findTasks()).toEqual([]);
    const details = { messages: 2, oldest_id: messages[0]?.id, oldest_subject: 'evt.trial.stuck' };
    await age('outbox', 'created_at', 1, `(payload->>'n')::int < 3`);
    for (let n = 0; n < 3; n++) await retention.runOnce(signal);
    expect(await findTasks()).toEqual([{ details, times: 1, done: false }]);
    await age('outbox', 'created_at', 1);
    await retention.runOnce(signal);
    expect(await findTasks()).toEqual([{ details: { ...details, messages: 3 }, times: 2, done: false }]);
    await db.query(unprepared(`update operator_tasks set resolved_at = now(), resolved_by = 'ann'`));
    await retention.runOnce(signal);
    expect(await findTasks()).toMatchObject([{ times: 3, done: false }]);
  });
});

describe('republish', () => {
  it('a lost stream is filled again with the range, in order and with the first ids', async () => {
    const { db, bus } = office;
    const subject = freshSubject();
    const messages = Array.from({ length: 450 }, (_, n) => buildMessage(subject, n, `g${n % 5}`));
    await insertOutbox(db, messages);
    await age('outbox', 'sent_at', 1, `(payload->>'n')::int < 448`);
    await age('outbox', 'created_at', 10, `(payload->>'n')::int < 3`);
    await age('outbox', 'created_at', 1, `(payload->>'n')::int >= 3`);
    const day = 86_400_000;
    const range = { from: new Date(Date.now() - 2 * day), to: new Date() };
    expect(await republish(db, bus, range)).toBe(445);
    expect(await republish(db, bus, range)).toBe(445);
    await insertOutbox(db, [buildMessage(subject, 999, 'last')]);
    const mailbox = openMailbox(bus, subject);
    await mailbox.has(445);
    for (let group = 0; group < 5; group += 1) {
      const own = messages.filter((_, n) => n % 5 === group && n >= 3 && n < 448).map((m) => m.id);
      expect(mailbox.received.filter((m) => m.n % 5 === group).map((m) => m.id)).toEqual(own);
    }
    await mailbox.close();
  });

  it('a republish stops with the bus’ error when the bus fails', async () => {
    const { db } = office;
    await insertOutbox(db, [buildMessage('evt.trial', 1)]);
    await age('outbox', 'sent_at', 1);
    const bus = { publish: () => Promise.reject(new Error('no')), redeliver: () => Promise.resolve() };
    await expect(republish(db, bus, { from: new Date(0), to: new Date(Date.now() + 1_000) })).rejects.toThrow(
      'no',
    );
  });
});

describe('dead letters', () => {
  const dead = (change: Partial<DeadMessage> = {}): DeadMessage => ({
    id: buildMessage('', 0).id,
    subject: 'evt.trial.thing.told.v1.x',
    payload: { n: 7, text: 'null byte \0 inside' },
    mode: 'test',
    deliveryCount: 10,
    consumer: 'ledger',
    stream: 'EVENTS',
    reason: 'conflict',
    ...change,
  });
  const letters = () => listDeadLetters(office.db);
  const onlyLetter = async (): Promise<bigint> => (await letters())[0]?.id ?? 0n;

  it('a dead letter is kept whole, once per consumer', async () => {
    const message = dead();
    await recordDeadLetter(office.db, message);
    await recordDeadLetter(office.db, { ...message, reason: 'internal_error' });
    await recordDeadLetter(office.db, { ...message, consumer: 'checkout' });
    const found = await letters();
    expect(found.map((l) => [l.consumer, l.reason, l.deliveryCount])).toEqual([
      ['checkout', 'conflict', 10],
      ['ledger', 'internal_error', 20],
    ]);
    expect(JSON.parse(found[0]?.payload ?? '')).toEqual(message.payload);
  });

  it('a dead letter that is no JSON is kept too, and cannot be replayed', async () => {
    await recordDeadLetter(office.db, dead({ payload: '{"broken\0', reason: 'invalid message' }));
    expect((await letters())[0]?.payload).toBe('{"broken\uFFFD');
    await expect(replayDeadLetter(office.db, await onlyLetter(), ann)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The dead letter cannot be replayed: it is not JSON',
    });
  });

  const OUTLANDISH = 'it holds characters that Postgres does not take';
  it.each([
    ['its id is not a UUID', { id: 'order-17' }],
    ['its mode is neither test nor live', { mode: 'staging' as Mode }],
    [OUTLANDISH, { payload: { text: 'null byte \0 inside' } }],
    [OUTLANDISH, { payload: { 'half a \ud83d face': 1 } }],
  ])(
    'a dead letter that no outbox could have sent is refused with its reason: %s',
    async (reason, change) => {
      await recordDeadLetter(office.db, dead({ payload: { n: 1 }, ...change }));
      await expect(replayDeadLetter(office.db, await onlyLetter(), ann)).rejects.toMatchObject({
        code: 'conflict',
        message: `The dead letter cannot be replayed: ${reason}`,
      });
      expect(await letters()).toHaveLength(1);
    },
  );

  it('a replay hands the message once more, under its first id, to the consumer here and sends it to nobody (M3)', async () => {
    const { db, bus } = office;
    const message = dead({ subject: freshSubject(), payload: { n: 7 } });
    await recordDeadLetter(db, message);
    const id = await onlyLetter();
    // Two open connections, so that the replays run side by side.
    await Promise.all([db.ping(), db.ping()]);
    const replays = await Promise.allSettled([replayDeadLetter(db, id, ann), replayDeadLetter(db, id, bob)]);
    expect(replays.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await letters()).toEqual([]);
    expect(await listDeadLetters(db, { replayed: true })).toHaveLength(1);
    const mailbox = openMailbox(bus, message.subject);
    const before = await bus.published();
    const relay = outboxRelay({ db, bus, log: quiet });
    await relay.runOnce(signal);
    await relay.close();
    expect(mailbox.received).toEqual([{ id: message.id, n: 7 }]);
    expect(await bus.published()).toEqual(before);
    await mailbox.close();
  });

  it('a dead letter that fails again is open again', async () => {
    const message = dead({ payload: { n: 1 } });
    await recordDeadLetter(office.db, message);
    await replayDeadLetter(office.db, await onlyLetter(), ann);
    await recordDeadLetter(office.db, message);
    expect(await letters()).toMatchObject([{ messageId: message.id, replayedAt: undefined }]);
  });

  it('an unknown dead letter is not found, and one without a mode is refused', async () => {
    await expect(replayDeadLetter(office.db, 4711n, ann)).rejects.toMatchObject({ code: 'not_found' });
    const { mode: _, ...withoutMode } = dead();
    await recordDeadLetter(office.db, withoutMode);
    await expect(replayDeadLetter(office.db, await onlyLetter(), ann)).rejects.toThrow(
      'does not say its mode',
    );
  });
});

describe('backlog', () => {
  it('the backlog reports the number of unsent messages and the age of the oldest, and nothing when all is sent', async () => {
    const { db } = office;
    expect(await backlog(db)).toEqual({ messages: 0, oldestAgeSeconds: 0 });
    await insertOutbox(
      db,
      [1, 2, 3].map((n) => buildMessage('evt.trial', n)),
    );
    await age('outbox', 'created_at', 1, `payload->>'n' = '2'`);
    await age('outbox', 'sent_at', 0, `payload->>'n' = '3'`);
    const { messages, oldestAgeSeconds } = await backlog(db);
    expect(messages).toBe(2);
    expect(oldestAgeSeconds).toBeGreaterThanOrEqual(86_400);
  });

  it('the gauge of the backlog survives a lost database', async () => {
    await insertOutbox(office.db, [buildMessage('evt.trial', 1)]);
    let isAway = false;
    const db = {
      ...office.db,
      query: ((...args: Parameters<typeof office.db.query>) =>
        isAway ? Promise.reject(new Error('away')) : office.db.query(...args)) as typeof office.db.query,
    };
    measureBacklog(db);
    const read = () => metrics.registry.getSingleMetricAsString('gp_outbox_backlog_messages');
    expect(await read()).toContain('gp_outbox_backlog_messages 1');
    isAway = true;
    expect(await read()).toContain('gp_outbox_backlog_messages Nan');
  });
});
