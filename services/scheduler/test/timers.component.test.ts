import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { on, openBus, type Bus } from '@gp/bus';
import { changeTimers, fireTimer, type TimerFired, type TimerInstruction } from '@gp/contracts';
import { outboxMigrations, outboxRelay } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { eventually, patientPg, testDatabase, testNats } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { fireDueTimers } from '../src/app/fire-due-timers.ts';
import { subscriptions } from '../src/bus/subscriptions.ts';
import { findNextDue, markDueFired, recordInstructions } from '../src/db/timers.ts';

const migrations = new URL('../migrations', import.meta.url).pathname;
const owner = 'ledger';
const past = () => new Date(Date.now() - 1_000).toISOString();
const future = () => new Date(Date.now() + 3_600_000).toISOString();

let database: Awaited<ReturnType<typeof testDatabase>>;
let nats: Awaited<ReturnType<typeof testNats>>;
let db: Db;
let bus: Bus;

beforeAll(async () => {
  database = await testDatabase({
    schemas: [{ schema: 'scheduler', directories: [outboxMigrations, migrations] }],
  });
  nats = await testNats();
  db = await patientPg({ url: database.url('scheduler'), name: 'test', max: 4 });
  bus = await openBus({ servers: nats.url, name: 'test' });
  await bus.ensureStreams();
});
afterAll(async () => {
  await bus?.close();
  await db?.close();
  await nats?.stop();
  await database?.drop();
});
beforeEach(async () => {
  await database.asOwner('scheduler', 'truncate timers, outbox');
});

const armed = (key: string, revision: number, dueAt: string): TimerInstruction => ({
  owner,
  key,
  revision,
  merchant_id: 'm1',
  mode: 'test',
  timer: { kind: 'group_expiry', due_at: dueAt, data: { step: revision } },
});
const cancelled = (key: string, revision: number): TimerInstruction => ({
  ...armed(key, revision, ''),
  timer: null,
});
const fired = () => db.transaction((tx) => markDueFired(tx, 100));
const readTimerState = async (key: string) =>
  (await db.pool.query<{ state: string }>('select state from timers where key = $1', [key])).rows[0]?.state;

describe('instructions about one timer', () => {
  it('an older instruction that arrives late changes nothing', async () => {
    await recordInstructions(db, [armed('a', 2, future())]);
    await recordInstructions(db, [armed('a', 1, past())]);
    expect(await fired()).toEqual([]);
  });

  it('a cancellation that overtakes its setting keeps the timer from firing', async () => {
    await recordInstructions(db, [cancelled('a', 5)]);
    await recordInstructions(db, [armed('a', 4, past())]);
    expect(await readTimerState('a')).toBe('cancelled');
    expect(await fired()).toEqual([]);
  });

  it('a timer that fires names the trace of its last instruction', async () => {
    await recordInstructions(db, [{ ...armed('a', 1, past()), traceparent: 'first' }, armed('b', 1, past())]);
    await recordInstructions(db, [{ ...armed('a', 2, past()), traceparent: 'second' }]);
    const traces = (await fired()).map(({ key, traceparent }) => [key, traceparent]);
    expect(Object.fromEntries(traces)).toEqual({ a: 'second', b: null });
  });

  it('the newest of several instructions in one batch counts, whatever their order', async () => {
    await recordInstructions(db, [armed('a', 3, past()), cancelled('a', 4), armed('a', 2, past())]);
    expect(await readTimerState('a')).toBe('cancelled');
  });

  it('an instruction that is received again after its timer fired does not fire it twice', async () => {
    await recordInstructions(db, [armed('a', 1, past())]);
    expect(await fired()).toHaveLength(1);
    await recordInstructions(db, [armed('a', 1, past())]);
    expect(await fired()).toEqual([]);
  });

  it('a newer instruction arms a timer that fired before', async () => {
    await recordInstructions(db, [armed('a', 1, past())]);
    await fired();
    await recordInstructions(db, [armed('a', 2, past())]);
    expect(await fired()).toMatchObject([{ key: 'a', revision: 2n, data: { step: 2 } }]);
  });

  it("another merchant's or mode's instruction cannot touch a timer", async () => {
    await recordInstructions(db, [armed('a', 1, past())]);
    await recordInstructions(db, [{ ...cancelled('a', 2), merchant_id: 'm2' }]);
    await recordInstructions(db, [{ ...cancelled('a', 2), mode: 'live' }]);
    expect(await fired()).toHaveLength(1);
  });
});

describe('due timers', () => {
  it('due timers fire earliest first, and those that are not due stay', async () => {
    await recordInstructions(db, [
      armed('late', 1, new Date(Date.now() - 1_000).toISOString()),
      armed('early', 1, new Date(Date.now() - 9_000).toISOString()),
      armed('never', 1, future()),
    ]);
    expect((await fired()).map((timer) => timer.key)).toEqual(['early', 'late']);
  });

  it('due timers are shared by replicas: each fires in exactly one of them', async () => {
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}`);
    await recordInstructions(
      db,
      keys.map((key) => armed(key, 1, past())),
    );
    const scans = await Promise.all(Array.from({ length: 4 }, () => fired()));
    const all = scans.flat().map((timer) => timer.key);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length + (await fired()).length).toBe(300);
  });

  it('a pass without a due timer rests until the next one, and an earlier one ends the rest', async () => {
    const loop = fireDueTimers({ db, wakeRelay: () => undefined, longestPauseMs: 5_000 });
    const { signal } = new AbortController();
    let looks = 0;
    loop.onWake?.(() => (looks += 1));
    expect([await findNextDue(db), await loop.runOnce(signal), loop.idleMs]).toEqual([
      undefined,
      'idle',
      5_000,
    ]);
    loop.expect(Date.now() + 60_000);
    expect(looks).toBe(0);
    loop.expect(Date.now() + 1_000);
    expect(looks).toBe(1);
    await recordInstructions(db, [armed('soon', 1, new Date(Date.now() + 2_000).toISOString())]);
    await loop.runOnce(signal);
    expect(loop.idleMs).toBeLessThan(3_000);
    await recordInstructions(db, [armed('now', 1, past())]);
    expect([await loop.runOnce(signal), await readTimerState('now')]).toEqual(['busy', 'fired']);
  });

  it('the next due timer of a merchant whose test clock is ahead is due by that clock', async () => {
    await recordInstructions(db, [armed('a', 1, future())]);
    expect(await findNextDue(db)).toBeGreaterThan(3_500_000);
    await database.asOwner(
      'scheduler',
      `insert into test_clocks (merchant_id, target_ms, ahead_ms, released_ms) values ('m1', 7200000, 7200000, 7200000)`,
    );
    expect(await findNextDue(db)).toBeLessThan(0);
    await database.asOwner('scheduler', 'truncate test_clocks cascade');
  });

  it('due timers are sent to their owner over the bus, with the stored data', async () => {
    const told: TimerFired[] = [];
    const options = { durable: 'test-owner', maxInFlight: 10, onDead: () => Promise.resolve() };
    const listening = bus.consume(
      on(fireTimer('ledger'), options, (timer) => Promise.resolve(told.push(timer))),
    );
    const hearing = subscriptions(db).map((subscription) => bus.consume(subscription));
    const relay = outboxRelay({ db, bus, log: { info: () => undefined, warn: () => undefined } });
    const loop = fireDueTimers({ db, wakeRelay: relay.wake, longestPauseMs: 10 });
    const stop = new AbortController();
    const send = (...instructions: TimerInstruction[]) =>
      bus.publish({ id: uuidv7(), subject: changeTimers.subject, mode: 'test', payload: { instructions } });
    await send(armed('x', 7, past()), armed('y', 1, future()));
    await send(cancelled('y', 2));

    await eventually(
      async () => ((await readTimerState('x')) && (await readTimerState('y')) === 'cancelled') || undefined,
    );
    await loop.runOnce(stop.signal);
    await eventually(async () => {
      await relay.runOnce(stop.signal);
      return told.length > 0 || undefined;
    });
    expect(told).toMatchObject([{ key: 'x', kind: 'group_expiry', data: { step: 7 } }]);
    stop.abort();
    await relay.close();
    await Promise.all([listening, ...hearing].map((closable) => closable.close()));
  });
});
