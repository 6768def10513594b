import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode, TestWork } from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { patientPg, testDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { driveTestClocks, nextPosition } from '../src/app/drive-test-clocks.ts';
import type { Followers, Mark, Seen } from '../src/app/ports.ts';
import { watchWork } from '../src/app/watch-work.ts';
import { claimClock, extendTarget, findClock, requestReset, type TestClock } from '../src/db/test-clocks.ts';
import { markDueFired, recordInstructions } from '../src/db/timers.ts';

const migrations = new URL('../migrations', import.meta.url).pathname;
const log = createLogger({ service: 'test', level: 'silent' });
const HOUR = 3_600_000;

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Db;

beforeAll(async () => {
  database = await testDatabase({
    schemas: [{ schema: 'scheduler', directories: [outboxMigrations, migrations] }],
  });
  db = await patientPg({ url: database.url('scheduler'), name: 'test', max: 4 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await database.asOwner('scheduler', 'truncate timers, outbox, test_clocks');
});
// An advance that a test began and did not wait for must not fire the timers of the next test.
afterEach(() => Promise.all(firing.splice(0)));

const clockAt = (aheadMs: number, targetMs: number): TestClock => ({
  ...{ merchantId: 'm1', revision: 1, isResetting: false },
  ...{ aheadMs, targetMs, releasedMs: aheadMs },
});
const work = (o: Partial<TestWork> = {}): TestWork => ({
  ...{ waits_for: null, is_past: !o.waits_for, has_acted: false, seen: '', due_in_ms: null },
  ...o,
});
const arm = (key: string, dueInMs: number, o: { merchant_id?: string; mode?: Mode } = {}) => {
  const due_at = new Date(Date.now() + dueInMs).toISOString();
  const timer = { kind: 'group_expiry' as const, due_at, data: {} };
  const whose = { owner: 'ledger', merchant_id: 'm1', mode: 'test' as const, ...o };
  return recordInstructions(db, [{ ...whose, key, revision: 1, timer }]);
};
const firedKeys = async () =>
  (
    await db.pool.query<{ key: string }>(`select key from timers where state = 'fired' order by key`)
  ).rows.map(({ key }) => key);
const advance = (byMs: number) => extendTarget(db, { merchantId: 'm1', byMs, furthestMs: 1_000 * HOUR });

let marks = 0;
const mark = async (): Promise<Mark> => ({ published: { EVENTS: (marks += 1) }, asOf: new Date() });

/** Services that finish due work at once; every message they receive is kept with the clock's time at that moment. */
function followers(o: { fail?: () => boolean } = {}) {
  const told: { aheadMs: number; releasedMs: number; revision: number }[] = [];
  const all: Followers = {
    async announce({ aheadMs, releasedMs, revision }) {
      if (o.fail?.()) throw new Error('a service that does not answer');
      told.push({ aheadMs, releasedMs, revision });
    },
    mark,
    look: async () => new Map([['ledger', work()]]),
  };
  return { told, all };
}

const firing: Promise<unknown>[] = [];
const fire = () => void firing.push(db.transaction((tx) => markDueFired(tx, 100)));
const parts = () => ({ db, log, onReleased: fire, idleMs: 1_000 });

/** Drives until there is nothing to drive: how far a turn leads is up to the machine. */
function driver(all: Followers) {
  const loop = driveTestClocks({ ...parts(), followers: all });
  return async () => {
    let turns = 0;
    while ((await loop.runOnce(new AbortController().signal)) === 'busy') turns += 1;
    return turns > 0 ? 'busy' : 'idle';
  };
}

const still = (dueInMs: number | null) => ({ kind: 'still', dueInMs }) as const;

describe('the next place of a clock', () => {
  it('the next stop of a clock is where the next thing falls due, or the target when that is nearer', () => {
    expect(nextPosition(clockAt(0, HOUR), still(10_000))).toBe(10_000);
    expect(nextPosition(clockAt(5_000, HOUR), still(10_000))).toBe(15_000);
    expect(nextPosition(clockAt(0, HOUR), still(HOUR + 1))).toBe(HOUR);
    expect(nextPosition(clockAt(0, HOUR), still(null))).toBe(HOUR);
  });

  it('the next stop of a clock is after its present time, and never before what is due', () => {
    expect(nextPosition(clockAt(7, HOUR), still(0))).toBe(8);
    expect(nextPosition(clockAt(7, HOUR), still(-500))).toBe(8);
    expect(nextPosition(clockAt(0, HOUR), still(0.2))).toBe(1);
    expect(nextPosition(clockAt(0, HOUR), still(10.4))).toBe(11);
  });

  it('the next stop of a clock is at least ten minutes away while payers go on paying, so that a year takes about a hundred steps', () => {
    const next = (clock: TestClock) => nextPosition(clock, { kind: 'passed', dueInMs: 5 });
    expect(next(clockAt(0, HOUR))).toBe(HOUR / 6);
    expect(next(clockAt(0, 60_000))).toBe(60_000);
    let steps = 0;
    for (let at = 0; at < 366 * 24 * HOUR; steps++) at = next(clockAt(at, 366 * 24 * HOUR));
    expect(steps).toBeLessThan(150);
  });
});

describe('a watch', () => {
  /** A watch over services that answer these looks in turn, the last one for ever. */
  function watching(...looks: readonly TestWork[]) {
    const since: Seen[] = [];
    const left = [...looks];
    const asked: Mark[] = [];
    const look = async (_merchantId: string, at: Mark, seen: Seen) => {
      asked.push(at);
      since.push(seen);
      const [next = work()] = left.length > 1 ? left.splice(0, 1) : left;
      return new Map([['ledger', next]]);
    };
    const watch = watchWork({ db, followers: { mark, look, announce: async () => undefined } });
    return { since, asked, watch: () => watch(clockAt(0, HOUR)) };
  }
  const busy = (waitsFor: string) => ({ kind: 'busy', waitsFor });

  it('a watch reports idle after two idle looks in a row, each time anew', async () => {
    const { watch } = watching(work());
    expect([await watch(), await watch()]).toEqual([busy('a second look'), still(null)]);
    expect(await watch()).toEqual(busy('a second look'));
  });

  it('a watch begins again after work was seen, or a change between two looks', async () => {
    const { watch, since } = watching(
      work({ seen: '1' }),
      work({ waits_for: 'messages', seen: '2' }),
      work({ seen: '3' }),
      work({ has_acted: true, seen: '4' }),
      work({ seen: '5' }),
    );
    const seen = [await watch(), await watch(), await watch(), await watch(), await watch(), await watch()];
    expect(seen).toEqual([
      ...[busy('a second look'), busy('ledger: messages')],
      ...[busy('a second look'), busy('ledger: new work')],
      ...[busy('a second look'), still(null)],
    ]);
    expect(since.map((at) => at.get('ledger'))).toEqual([undefined, '1', '2', '3', '4', '5']);
  });

  it('a watch waits for the work of one moment before it takes the next, and counts no look at the rest of it', async () => {
    const rest = work({ waits_for: 'messages' });
    const { watch, asked } = watching(rest, rest, work(), work(), work());
    const seen = [await watch(), await watch(), await watch(), await watch(), await watch()];
    expect(seen.map(({ kind }) => kind)).toEqual(['busy', 'busy', 'busy', 'busy', 'still']);
    const [first, ...later] = asked;
    expect(later.map((at) => at === first)).toEqual([true, true, false, false]);
    expect(asked[3]).not.toBe(asked[4]);
  });

  it('a watch stops waiting for a merchant whose payers never stop, once everything that one step can cause is done', async () => {
    const ever = work({ waits_for: 'messages', is_past: true, has_acted: true, due_in_ms: 7 });
    const { watch } = watching(ever);
    const seen: string[] = [];
    for (let looks = 0; looks < 48; looks++) seen.push((await watch()).kind);
    expect(seen.flatMap((kind, look) => (kind === 'passed' ? [look + 1] : []))).toEqual([24, 48]);
    expect(seen).not.toContain('still');
  });

  it('a watch waits without limit for what is not done', async () => {
    const { watch } = watching(work({ waits_for: 'own work' }));
    for (let looks = 0; looks < 60; looks++) expect(await watch()).toEqual(busy('ledger: own work'));
  });

  it('a watch names the nearest due time of services and timers, and waits for timers that are due', async () => {
    await arm('later', 50_000);
    await arm('elsewhere', 1_000, { merchant_id: 'm2' });
    await arm('live', 1_000, { mode: 'live' });
    const beside = watching(work({ due_in_ms: 20_000 }));
    await beside.watch();
    expect(await beside.watch()).toEqual(still(20_000));
    const alone = watching(work());
    await alone.watch();
    const found = await alone.watch();
    expect(found.kind === 'still' && found.dueInMs).toBeGreaterThan(1_000);
    await arm('due', -1);
    expect(await watching(work()).watch()).toEqual(busy('timers'));
  });
});

describe('a clock on its way', () => {
  it('a clock arrives although its merchant is paid all the time, and counts on from turn to turn', async () => {
    await advance(HOUR);
    const { told, all } = followers();
    let turn = new AbortController();
    let turns = 0;
    const ever = async () => {
      turn.abort();
      return new Map([['ledger', work({ has_acted: true })]]);
    };
    const loop = driveTestClocks({ ...parts(), followers: { ...all, look: ever } });
    while ((await loop.runOnce(turn.signal)) === 'busy' && turns < 200) {
      turn = new AbortController();
      turns += 1;
    }
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: HOUR, is_settled: true });
    expect(told.map(({ aheadMs }) => aheadMs)).toEqual([HOUR]);
    // A turn a look.
    expect(turns).toBeGreaterThanOrEqual(48);
  });

  it('a clock stops wherever something falls due, notifies every service before, and settles at its target', async () => {
    await arm('second', 20 * HOUR);
    await arm('first', 10 * HOUR);
    await arm('beyond', 200 * HOUR);
    await arm('elsewhere', 10 * HOUR, { merchant_id: 'm2' });
    await arm('live', 10 * HOUR, { mode: 'live' });
    await advance(100 * HOUR);
    const { told, all } = followers();
    expect(await driver(all)()).toBe('busy');
    expect(told.map(({ aheadMs }) => Math.round(aheadMs / HOUR))).toEqual([10, 20, 100]);
    // No timer is released before every follower has received the time at which it falls due.
    expect(told.map(({ releasedMs }) => releasedMs)).toEqual([0, told[0]?.aheadMs, told[1]?.aheadMs]);
    expect(await firedKeys()).toEqual(['first', 'second']);
    const settled = { ahead_ms: 100 * HOUR, remaining_ms: 0, is_settled: true };
    expect(await findClock(db, 'm1')).toMatchObject(settled);
    expect(await findClock(db, 'm2')).toMatchObject({ ahead_ms: 0, is_settled: true });
    expect(await driver(all)()).toBe('idle');
  });

  it('a clock that a service did not receive is sent again from the same place by the next driver', async () => {
    await arm('first', 10_000);
    await advance(HOUR);
    let isAway = true;
    const { told, all } = followers({ fail: () => isAway });
    await expect(driver(all)()).rejects.toThrow('does not answer');
    expect(await firedKeys()).toEqual([]);
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: 0, remaining_ms: HOUR, is_settled: false });
    isAway = false;
    expect(await driver(all)()).toBe('busy');
    expect(told[0]).toMatchObject({ releasedMs: 0, revision: 1 });
    expect(await firedKeys()).toEqual(['first']);
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: HOUR, is_settled: true });
  });

  /** Followers between whose last look and what the clock does next something else happens, once. */
  function interrupted(isTime: () => boolean, what: () => Promise<unknown>) {
    const { told, all } = followers();
    let looks = 0;
    let isDone = false;
    const look: Followers['look'] = async (...args) => {
      looks = isTime() ? looks + 1 : 0;
      // The second equal answer in a row counts.
      if (looks === 2 && !isDone) {
        isDone = true;
        await what();
      }
      return all.look(...args);
    };
    return { told, all: { ...all, look } };
  }

  it.each([
    ['advanced', () => advance(HOUR), 2 * HOUR],
    ['reset', () => requestReset(db, 'm1'), 0],
  ])(
    'a clock that is %s at the moment it arrives does not settle there, but continues',
    async (_how, what, end) => {
      await advance(HOUR);
      const { told, all } = interrupted(() => told.at(-1)?.aheadMs === HOUR, what);
      await driver(all)();
      expect(told.map(({ aheadMs }) => aheadMs)).toEqual([HOUR, end]);
      expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: end, remaining_ms: 0, is_settled: true });
    },
  );

  it('a clock is not moved by a slow worker after another has moved it', async () => {
    await arm('first', 10_000);
    await advance(HOUR);
    const { told, all } = interrupted(
      () => told.length === 0,
      () => db.pool.query('update test_clocks set ahead_ms = 30000, revision = revision + 1'),
    );
    await driver(all)();
    expect(told.map(({ aheadMs }) => aheadMs)).toEqual([30_000, HOUR]);
  });

  it('the loop rests while no clock has to move, and not while another worker has one that does', async () => {
    const loop = driveTestClocks({ ...parts(), followers: followers().all });
    const pass = () => loop.runOnce(new AbortController().signal);
    expect(await pass()).toBe('empty');
    await advance(HOUR);
    await claimClock(db, uuidv7(), 60_000);
    expect(await pass()).toBe('idle');
  });

  it('a clock is moved by one worker at a time', async () => {
    await advance(HOUR);
    let second: unknown;
    const { all } = followers();
    const during = { ...all, announce: async () => void (second ??= await driver(all)()) };
    expect(await driver(during)()).toBe('busy');
    expect(second).toBe('idle');
  });

  it('a clock that is reset returns to the real time, and what had a pause left keeps it', async () => {
    await advance(HOUR);
    const { told, all } = followers();
    await driver(all)();
    await arm('later', HOUR + 60_000);
    await requestReset(db, 'm1');
    await driver(all)();
    expect(told.at(-1)).toMatchObject({ aheadMs: 0, releasedMs: HOUR });
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: 0, remaining_ms: 0, is_settled: true });
    const due = await db.pool.query<{ seconds: number }>(
      `select extract(epoch from due_at - clock_timestamp())::float8 as seconds from timers`,
    );
    expect(due.rows[0]?.seconds).toBeGreaterThan(30);
    expect(due.rows[0]?.seconds).toBeLessThanOrEqual(60);
    expect(await firedKeys()).toEqual([]);
  });

  it('a clock that is reset before its first step settles at the real time, and can be advanced again', async () => {
    const service = followers();
    const drive = driver(service.all);
    await advance(HOUR);
    await requestReset(db, 'm1');
    expect(await drive()).toBe('busy');
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: 0, remaining_ms: 0, is_settled: true });
    expect(service.told).toEqual([]);
    await advance(HOUR);
    expect(await drive()).toBe('busy');
    expect(await findClock(db, 'm1')).toMatchObject({ ahead_ms: HOUR, is_settled: true });
  });

  it('a clock goes no further than its limit', async () => {
    expect(await advance(1_000 * HOUR)).toBe(true);
    expect(await advance(1)).toBe(false);
  });
});
