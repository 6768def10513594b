import { describe, expect, it } from '@jest/globals';
import type { ApiKeyRecord } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { keyDirectory } from './key-directory.ts';

const digest = 'ab'.repeat(32);
const record = (o: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  merchant_id: 'm1',
  mode: 'test',
  key_id: '0198c3f0-0000-7000-8000-00000000000a',
  digest,
  pepper_id: 'p1',
  revoked_at: null,
  revision: 1,
  ...o,
});
const revoked = record({ revoked_at: '2026-01-01T00:00:00.000Z', revision: 2 });

/** A directory over a table of one row at most, which counts how often it is read. */
function directory(stored: ApiKeyRecord | undefined) {
  let now = 0;
  const table = { stored, reads: 0, isAway: false };
  const query = () => {
    table.reads += 1;
    if (table.isAway) return Promise.reject(new AppError('service_unavailable'));
    const row = table.stored;
    const revoked_at = row?.revoked_at ? new Date(row.revoked_at) : null;
    return Promise.resolve(row ? [{ ...row, revoked_at, revision: BigInt(row.revision) }] : []);
  };
  const keys = keyDirectory({ db: { query } as unknown as Db, now: () => now });
  return { keys, table, pass: (ms: number) => (now += ms) };
}

describe('a directory of keys', () => {
  it('a directory of keys reads a key once in ten seconds', async () => {
    const { keys, table, pass } = directory(record());
    for (const _ of [1, 2, 3]) expect(await keys.find(digest)).toEqual(record());
    expect(table.reads).toBe(1);
    pass(10_000);
    await keys.find(digest);
    expect(table.reads).toBe(2);
  });

  it('a directory of keys that may have missed an announcement reads the table each time, for ten seconds (M5)', async () => {
    const { keys, table, pass } = directory(record());
    await keys.find(digest);
    table.stored = revoked;
    expect(await keys.find(digest)).toEqual(record());
    keys.distrust();
    for (const _ of [1, 2]) expect(await keys.find(digest)).toEqual(revoked);
    expect(table.reads).toBe(3);
    pass(10_000);
    for (const _ of [1, 2]) await keys.find(digest);
    expect(table.reads).toBe(4);
  });

  it('an announced revocation counts before the table holds it, and no longer than ten seconds without it (M5)', async () => {
    const { keys, table, pass } = directory(record());
    await keys.find(digest);
    keys.update(revoked);
    expect(await keys.find(digest)).toEqual(revoked);
    pass(9_999);
    expect(await keys.find(digest)).toEqual(revoked);
    pass(2);
    expect(await keys.find(digest)).toEqual(record());
    keys.update(revoked);
    table.stored = revoked;
    expect(await keys.find(digest)).toEqual(revoked);
  });

  it.each([
    ['a revision from the future', { revision: 999_999 }],
    ['another merchant', { merchant_id: 'm2', revision: 999_999 }],
    ['another mode', { mode: 'live' as const, revision: 999_999 }],
  ])('an announcement gives no right that the table does not give: %s (M5)', async (_, change) => {
    const { keys } = directory(record());
    await keys.find(digest);
    keys.update(record(change));
    expect(await keys.find(digest)).toEqual(record());
  });

  it('an announcement does not revive a revoked key (M5)', async () => {
    const { keys } = directory(revoked);
    keys.update(record({ revision: 999_999 }));
    expect(await keys.find(digest)).toEqual(revoked);
  });

  it('a table that is ahead of the announcements counts', async () => {
    const { keys, table, pass } = directory(record());
    await keys.find(digest);
    table.stored = revoked;
    pass(10_001);
    expect(await keys.find(digest)).toEqual(revoked);
  });

  it('an older announcement changes nothing', async () => {
    const { keys } = directory(revoked);
    await keys.find(digest);
    keys.update(record());
    expect(await keys.find(digest)).toEqual(revoked);
  });

  it('an announced key is awaited until the table holds it, and is no key without the table', async () => {
    const { keys, table } = directory(undefined);
    expect(await keys.find(digest)).toBeUndefined();
    keys.update(record());
    expect(await keys.find(digest)).toBeUndefined();
    const found = keys.find(digest);
    table.stored = record();
    expect(await found).toEqual(record());
  });

  it('without a table, a cached key is valid for its ten seconds and no longer', async () => {
    const { keys, table, pass } = directory(record());
    await keys.find(digest);
    table.isAway = true;
    pass(9_999);
    expect(await keys.find(digest)).toEqual(record());
    pass(2);
    await expect(keys.find(digest)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('requests that need the same look-up share it', async () => {
    const { keys, table } = directory(record());
    await Promise.all(Array.from({ length: 20 }, () => keys.find(digest)));
    expect(table.reads).toBe(1);
  });
});
