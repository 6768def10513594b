import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { findConstraint, isUnavailable, statement, unprepared } from '../src/index.ts';
import { openTrial, rejection, type Trial } from './scratch.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
  await trial.db.query(
    unprepared(`create table entries (id int, amount bigint,
      constraint entries_have_one_row_per_id primary key (id),
      constraint entries_amount_is_positive check (amount > 0))`),
  );
});
afterAll(() => trial.close());

const backend = unprepared<{ pid: number }>('select pg_backend_pid() as pid');
const addEntry = statement('trial-add-entry', 'insert into entries (id, amount) values ($1, $2)');
const countEntries = unprepared<{ n: bigint }>('select count(*) as n from entries');

async function entries(): Promise<bigint | undefined> {
  return (await trial.db.query(countEntries))[0]?.n;
}

describe('values', () => {
  const echo = statement<Record<string, unknown>>(
    'trial-echo',
    `select $1::bigint as big, $2::timestamptz as at, $3::numeric as number, $4::jsonb as json, $5::bigint[] as bigs,
       $6::timestamptz[] as ats, $7::text[] as texts, date '2026-03-29' as day, $8::numeric[] as numbers`,
  );

  it('money and instants come back exactly as they were sent', async () => {
    const at = new Date('2026-03-29T01:59:59.987Z');
    const json = { amount_minor: '1500', list: [1, { a: null }] };
    const texts = ['a,"b"', 'back\\slash', '{}', 'NULL', '', null];
    const values = [9007199254740993n, at, '0.10', json, [2n ** 62n, -1n, null], [at], texts, ['1.50', null]];
    expect(await trial.db.query(echo, values)).toEqual([
      {
        big: 9007199254740993n,
        at,
        number: '0.10',
        json,
        bigs: [2n ** 62n, -1n, null],
        ats: [at],
        texts,
        day: '2026-03-29',
        numbers: ['1.50', null],
      },
    ]);
  });

  it('an instant that is none is refused before it reaches the server', async () => {
    await expect(trial.db.query(echo, [1n, new Date(NaN)])).rejects.toThrow(RangeError);
  });
});

describe('statements', () => {
  it('a named statement is prepared once and reused on its connection', async () => {
    const db = await trial.open(1);
    const named = statement<{ n: number }>('trial-prepared-once', 'select $1::int as n');
    for (const n of [1, 2, 3]) expect(await db.query(named, [n])).toEqual([{ n }]);
    const prepared = unprepared<{ name: string; uses: bigint }>(
      `select name, generic_plans + custom_plans as uses from pg_prepared_statements`,
    );
    expect(await db.query(prepared)).toEqual([{ name: 'trial-prepared-once', uses: 3n }]);
  });

  it('one name cannot stand for two statements', () => {
    expect(statement('trial-twice', 'select 1')).toEqual(statement('trial-twice', 'select 1'));
    expect(() => statement('trial-twice', 'select 2')).toThrow('two statements are called "trial-twice"');
  });

  it('a name that Postgres would cut is refused', () => {
    expect(() => statement('x'.repeat(64), 'select 1')).toThrow('1 to 63 characters');
    expect(() => statement('', 'select 1')).toThrow('1 to 63 characters');
  });

  it('a plan that a migration made stale costs one retryable error', async () => {
    const db = await trial.open(1);
    await db.query(unprepared('create table growing (a int)'));
    const readAll = statement('trial-growing', 'select * from growing');
    await db.query(readAll);
    await trial.db.query(unprepared('alter table growing add column b int'));
    expect(isUnavailable(await rejection(db.query(readAll)))).toBe(true);
    await expect(db.query(readAll)).resolves.toEqual([]);
  });
});

describe('errors', () => {
  it('a violated constraint is reported by its name and costs no connection', async () => {
    const db = await trial.open(1);
    const [before] = await db.query(backend);
    const error = await rejection(db.query(addEntry, [1, -5n]));
    expect(findConstraint(error)).toBe('entries_amount_is_positive');
    expect(findConstraint(new Error('wrapped', { cause: error }))).toBe('entries_amount_is_positive');
    expect(isUnavailable(error)).toBe(false);
    expect(await db.query(backend)).toEqual([before]);
  });

  it('an error that is not the database’s names no constraint', () => {
    for (const e of [undefined, null, 'text', new Error('x'), new AppError('not_found')]) {
      expect(findConstraint(e)).toBeUndefined();
      expect(isUnavailable(e)).toBe(false);
    }
  });

  it('a statement that runs too long ends as unavailable, and its connection serves on', async () => {
    const { openPg } = await import('../src/index.ts');
    const db = await openPg({
      url: trial.database.url('trial'),
      name: 'slow',
      max: 1,
      statementTimeoutMs: 500,
    });
    const [before] = await db.query(backend);
    const error = await rejection(db.query(unprepared('select pg_sleep(60)')));
    expect(error).toMatchObject({ code: 'service_unavailable', cause: { code: '57014' } });
    expect(await db.query(backend)).toEqual([before]);
    await db.close();
  });

  it('a wrong statement stays the programmer’s error', async () => {
    const error = await rejection(trial.db.query(unprepared('select nonsense')));
    expect(error).toMatchObject({ code: '42703' });
    expect(error).not.toBeInstanceOf(AppError);
  });

  it('the loser of a deadlock gets an error that may be retried', async () => {
    await trial.db.query(unprepared('create table seats (id int primary key, taken int)'));
    await trial.db.query(unprepared('insert into seats values (1, 0), (2, 0)'));
    const take = statement('trial-take-seat', 'update seats set taken = taken + 1 where id = $1');
    const gate = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
    const inOrder = (mine: number, other: number, ready: () => void, wait: Promise<void>): Promise<void> =>
      trial.db.transaction(async (tx) => {
        await tx.query(take, [mine]);
        ready();
        await wait;
        await tx.query(take, [other]);
      });
    const results = await Promise.allSettled([
      inOrder(1, 2, gate.first.resolve, gate.second.promise),
      inOrder(2, 1, gate.second.resolve, gate.first.promise),
    ]);
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    const reasons = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as unknown] : []));
    expect(reasons).toMatchObject([{ code: 'conflict', cause: { code: '40P01' } }]);
  });
});

describe('transactions', () => {
  it('a resolved transaction is committed and returns its result', async () => {
    const before = await entries();
    const result = await trial.db.transaction(async (tx) => {
      await tx.query(addEntry, [10, 1n]);
      return 'done';
    });
    expect([result, await entries()]).toEqual(['done', (before ?? 0n) + 1n]);
  });

  it('a rejected transaction leaves nothing, and a domain error costs no connection', async () => {
    const db = await trial.open(1);
    const [before] = await db.query(backend);
    const count = await entries();
    const work = db.transaction(async (tx) => {
      await tx.query(addEntry, [20, 1n]);
      throw new AppError('group_expired');
    });
    await expect(work).rejects.toMatchObject({ code: 'group_expired' });
    expect(await entries()).toBe(count);
    expect(await db.query(backend)).toEqual([before]);
  });

  it('a swallowed error cannot make a rolled back transaction look committed', async () => {
    const count = await entries();
    const work = trial.db.transaction(async (tx) => {
      await tx.query(addEntry, [30, 1n]);
      await tx.query(addEntry, [30, 1n]).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('nothing was committed');
    expect(await entries()).toBe(count);
  });

  it('a statement that outlives its transaction is refused instead of running outside it', async () => {
    const count = await entries();
    const { promise, resolve } = Promise.withResolvers<{ query: typeof trial.db.query }>();
    await trial.db.transaction(async (tx) => {
      resolve(tx);
      await tx.query(countEntries);
    });
    const leaked = await promise;
    await expect(leaked.query(addEntry, [40, 1n])).rejects.toThrow('after its transaction ended');
    expect(await entries()).toBe(count);
  });
});
