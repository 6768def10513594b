import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outboxMigrations } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { patientPg, testDatabase } from '@gp/testing';
import { advanceTestClock, resetTestClock } from '../src/app/advance-test-clock.ts';
import { deleteAdvances } from '../src/db/advances.ts';
import { findClock } from '../src/db/test-clocks.ts';

const migrations = new URL('../migrations', import.meta.url).pathname;

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
  await database.asOwner('scheduler', 'truncate test_clocks, test_clock_advances');
});

describe('an advance that is asked for', () => {
  const command = (name: string) => createHash('sha256').update(name).digest('hex');
  const request = (seconds: number, o: { id?: string; fingerprint?: string } = {}) => ({
    command_id: command(o.id ?? 'one'),
    fingerprint: command(o.fingerprint ?? `${seconds}`),
    merchant_id: 'm1',
    seconds,
  });
  /** No advance runs here: the answer is how far the clock has to go. */
  const ask = (over: Db, ...of: Parameters<typeof request>) =>
    advanceTestClock({ db: over, wakeDriver: () => undefined })(request(...of));

  it('an advance counts once under its command, however often it is requested', async () => {
    await Promise.all([ask(db, 60), ask(db, 60), ask(db, 60)]);
    expect(await ask(db, 60)).toMatchObject({ ahead_ms: 0, remaining_ms: 60_000, is_settled: false });
    expect(await ask(db, 60, { id: 'two' })).toMatchObject({ remaining_ms: 120_000 });
  });

  it('an advance is refused under the command of another one', async () => {
    await ask(db, 60);
    await expect(ask(db, 90)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await findClock(db, 'm1')).toMatchObject({ remaining_ms: 60_000 });
  });

  it('an advance that would be too far is refused each time', async () => {
    await ask(db, 366 * 24 * 3_600, { id: 'furthest' });
    for (const _ of [1, 2]) await expect(ask(db, 1)).rejects.toMatchObject({ code: 'validation_error' });
    const noted = await db.pool.query('select from test_clock_advances');
    expect(noted.rowCount).toBe(1);
  });

  it('an advance is answered before the clock has moved, and so is a reset (F12)', async () => {
    expect(await ask(db, 60)).toMatchObject({ ahead_ms: 0, remaining_ms: 60_000, is_settled: false });
    await db.pool.query('update test_clocks set ahead_ms = 60000, released_ms = 60000, is_settled = true');
    const reset = resetTestClock({ db, wakeDriver: () => undefined });
    expect(await reset({ merchant_id: 'm1' })).toMatchObject({ ahead_ms: 60_000, is_settled: false });
    expect(await reset({ merchant_id: 'of a clock that never moved' })).toMatchObject({ is_settled: true });
  });

  it('an advance is forgotten with its key, and not before', async () => {
    await ask(db, 60);
    expect(await deleteAdvances(db, 73)).toBe(0);
    await db.pool.query(`update test_clock_advances set asked_at = clock_timestamp() - interval '74 hours'`);
    expect(await deleteAdvances(db, 73)).toBe(1);
  });
});
