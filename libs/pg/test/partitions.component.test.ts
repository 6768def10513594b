import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { maintainPartitions, unprepared, type DailyPartitions } from '../src/index.ts';
import { openTrial, rejection, type Trial } from './scratch.ts';

const DAY_MS = 86_400_000;
let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.close());

async function makeTable(name: string, column: string): Promise<void> {
  await trial.db.query(
    unprepared(`create table ${name} (position bigint generated always as identity, id ${column} not null,
      note text not null default 'x', primary key (id)) partition by range (id)`),
  );
  await trial.db.query(unprepared(`create index ${name}_by_note on ${name} (note)`));
}

async function listPartitions(table: string): Promise<string[]> {
  const names = unprepared<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
  );
  return (await trial.db.query(names, [table])).map((row) => row.name);
}

/** Returns a UUIDv7 of that instant, with the smallest or largest remainder. */
function buildUuid(at: Date, rest: '0' | 'f'): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const [a, b] = rest === '0' ? ['7000', '8000'] : ['7fff', 'bfff'];
  return `${time.slice(0, 8)}-${time.slice(8)}-${a}-${b}-${rest.repeat(12)}`;
}

describe('by UUIDv7', () => {
  const plan: DailyPartitions = { table: 'attempts', by: 'uuidv7', aheadDays: 2, keepDays: 3 };
  const noon = new Date('2026-02-27T12:00:00Z');
  beforeAll(() => makeTable('attempts', 'uuid'));

  it('yesterday, today and the days ahead are made, over the end of a month', async () => {
    const { created, dropped } = await maintainPartitions(trial.db, plan, noon);
    const days = ['20260226', '20260227', '20260228', '20260301'].map((day) => `attempts_p${day}`);
    expect([created, dropped, await listPartitions('attempts')]).toEqual([days, [], days]);
  });

  it('a second run changes nothing', async () => {
    expect(await maintainPartitions(trial.db, plan, noon)).toEqual({ created: [], dropped: [] });
  });

  it('an id lands in the day of its own time, to the millisecond', async () => {
    const midnight = new Date('2026-02-28T00:00:00Z');
    const cases: [string, string][] = [
      [buildUuid(new Date(midnight.getTime() - 1), 'f'), 'attempts_p20260227'],
      [buildUuid(midnight, '0'), 'attempts_p20260228'],
    ];
    for (const [id, partition] of cases) {
      const rows = await trial.db.query(
        unprepared('insert into attempts (id) values ($1) returning tableoid::regclass::text as partition'),
        [id],
      );
      expect(rows).toEqual([{ partition }]);
    }
  });

  it('only whole days beyond the kept ones are dropped', async () => {
    const later = new Date(noon.getTime() + 3 * DAY_MS);
    const { dropped } = await maintainPartitions(trial.db, plan, later);
    expect(dropped).toEqual(['attempts_p20260226']);
    expect(await listPartitions('attempts')).toContain('attempts_p20260227');
  });

  it('a row of a day without a partition is refused by the database, never stored wrongly', async () => {
    const insert = unprepared('insert into attempts (id) values ($1)');
    const error = await rejection(trial.db.query(insert, [buildUuid(new Date('2027-01-01T00:00:00Z'), '0')]));
    expect(error).toMatchObject({ code: '23514' });
  });
});

it('by time: rows of now have a partition when the database’s own clock is used', async () => {
  await makeTable('events', 'timestamptz');
  await maintainPartitions(trial.db, { table: 'events', by: 'time', aheadDays: 1, keepDays: 1 });
  await expect(
    trial.db.query(unprepared('insert into events (id) values (now()) returning note, position')),
  ).resolves.toEqual([{ note: 'x', position: 1n }]);
});

it('replicas that maintain at the same time do not disturb one another', async () => {
  await makeTable('shared', 'timestamptz');
  const plan: DailyPartitions = { table: 'shared', by: 'time', aheadDays: 5, keepDays: 1 };
  const replicas = await Promise.all([trial.open(1), trial.open(1), trial.open(1)]);
  const now = new Date();
  const results = await Promise.all(replicas.map((db) => maintainPartitions(db, plan, now)));
  expect(results.flatMap((r) => r.created)).toHaveLength(7);
  expect(await listPartitions('shared')).toHaveLength(7);
});
