import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKeyRecord } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { newKey, openEdge, toKeyMessage, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());

const list = async (key: string): Promise<number> => (await edge.get('/v1/group-payments', { key })).status;
const readRows = (record: ApiKeyRecord) =>
  edge.rows(
    'select merchant_id, mode, revision, revoked_at from api_keys where digest = $1 order by key_id',
    [Buffer.from(record.digest, 'hex')],
  );

/** Publishes a fact as somebody who may, and one after it that is right: when that one counts, both were handled. */
async function forge(fact: ApiKeyRecord): Promise<void> {
  await edge.others.publish(toKeyMessage(fact));
  const { key, record } = newKey('test', { merchant_id: fact.merchant_id });
  await edge.others.publish(toKeyMessage(record));
  await eventually(async () => ((await list(key)) === 200 ? true : undefined));
}

describe('a forged fact about an API key', () => {
  it.each([
    ['gives it to another merchant', { merchant_id: 'victim' }],
    ['makes it a live key', { mode: 'live' as const }],
    ['gives another merchant a second key of its digest', { merchant_id: 'victim', key_id: randomUUID() }],
  ])(
    'a forged fact about a key does not count, however great its revision: it %s (M5)',
    async (_, change) => {
      const { key, record } = await edge.addKey('test');
      expect(await list(key)).toBe(200);
      await forge({ ...record, ...change, revision: 999_999 });
      expect(await readRows(record)).toEqual([
        { merchant_id: 'm1', mode: 'test', revision: 1n, revoked_at: null },
      ]);
      expect(await list(key)).toBe(200);
    },
  );

  it('a forged fact does not revive a revoked key, neither at once nor later (M5)', async () => {
    const { key, record } = await edge.addKey('test', { revoked_at: new Date().toISOString(), revision: 2 });
    await forge({ ...record, revoked_at: null, revision: 999_999 });
    expect(await list(key)).toBe(401);
    edge.pass(10_001);
    expect(await list(key)).toBe(401);
  });

  it('a forged fact does not exchange the digest of a merchant’s key for another one (M5)', async () => {
    const { key, record } = await edge.addKey('test');
    const thief = newKey('test');
    await forge({ ...record, digest: thief.record.digest, revision: 999_999 });
    expect(await list(thief.key)).toBe(401);
    expect(await list(key)).toBe(200);
  });
});
