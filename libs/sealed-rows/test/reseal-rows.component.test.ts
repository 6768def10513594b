import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPg, type Db } from '@gp/pg';
import { sealWith, type Seal } from '@gp/seal';
import { metrics, type LogFields, type Logger } from '@gp/telemetry';
import { testDatabase, type TestDatabase } from '@gp/testing';
import { resealRows, type SealedColumn } from '../src/index.ts';

const newKey = () => randomBytes(32).toString('base64');
const [old, current] = [newKey(), newKey()];
const before = sealWith({ encryptionKey: old });
const rotated = sealWith({ encryptionKey: current, previousEncryptionKeys: old });
const after = sealWith({ encryptionKey: current });
const { signal } = new AbortController();

let database: TestDatabase;
let db: Db;
let lines: (LogFields & { msg: string })[];
const note = (fields: LogFields, msg: string) => void lines.push({ ...fields, msg });
const log = { info: note, error: note } as unknown as Logger;

// A key of two columns, one of which has microseconds that no Date can hold.
const column: SealedColumn = {
  table: 'secrets',
  key: ['owner', 'made_at'],
  keyId: 'key_id',
  bytes: 'sealed',
  identity: ([owner]) => `secrets/${owner}`,
};
const nowhere: SealedColumn = { ...column, table: 'nothing' };

beforeAll(async () => {
  database = await testDatabase({ schemas: [] });
  db = await openPg({ url: database.adminUrl, name: 'test' });
  for (const table of ['secrets', 'nothing'])
    await db.pool.query(
      `create table ${table} (owner int, made_at timestamptz default clock_timestamp(), key_id text, sealed bytea,
         primary key (owner, made_at))`,
    );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  lines = [];
  await db.pool.query('truncate secrets, nothing');
});

async function insert(seal: Seal, owners: readonly number[]): Promise<void> {
  const sealed = owners.map((owner) => seal.seal(`secret ${owner}`, `secrets/${owner}`));
  await db.pool.query(
    `insert into secrets (owner, key_id, sealed) select * from unnest($1::int[], $2::text[], $3::bytea[])`,
    [owners, sealed.map(({ keyId }) => keyId), sealed.map(({ bytes }) => bytes)],
  );
}

async function open(seal: Seal): Promise<string[]> {
  const { rows } = await db.pool.query('select owner, key_id, sealed from secrets order by owner');
  return rows.map((row: { owner: number; key_id: string; sealed: Buffer }) =>
    seal.open({ keyId: row.key_id, bytes: row.sealed }, `secrets/${row.owner}`),
  );
}

async function walk(seal: Seal): Promise<number> {
  const loop = resealRows({ db, seal, log, columns: [nowhere, column] });
  for (let passes = 1; ; passes += 1) if ((await loop.runOnce(signal)) === 'idle') return passes;
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const counts = async (): Promise<string[]> =>
  (await metrics.registry.getSingleMetricAsString('gp_sealed_rows'))
    .split('\n')
    .filter((line) => line.includes('table="secrets"'))
    .map((line) => line.replace(/^gp_sealed_rows/, ''));
const said = () =>
  lines.map(({ msg, key_id, count }) => [msg, key_id, ...(count === undefined ? [] : [count])]);

describe('a rotation of the encryption key', () => {
  it('a rotation seals every row again under the newest key, however many there are (Y2)', async () => {
    await insert(before, range(600));
    await walk(rotated);
    expect(await open(after)).toEqual(range(600).map((owner) => `secret ${owner}`));
  });

  it('a rotation counts the rows of each key, and says that the previous key can be removed once a walk found none (Y2)', async () => {
    await insert(before, range(3));
    await insert(rotated, [3]);
    await walk(rotated);
    const [newest, previous] = [rotated.keyIds.newest, before.keyIds.newest];
    expect(await counts()).toEqual([
      `{table="secrets",key="${newest}",use="newest"} 4`,
      `{table="secrets",key="${previous}",use="previous"} 0`,
    ]);
    expect(said()).toEqual([
      ['rows were sealed again under the newest key', newest, 3],
      ['no row is sealed under this previous encryption key: it can be removed', previous],
    ]);
  });

  it('a rotation does not call a key removable while a row that does not open needs it, and goes on behind that row (Y2)', async () => {
    await insert(before, range(3));
    await db.pool.query(`update secrets set sealed = sealed || '\\x00' where owner = 0`);
    await walk(rotated);
    expect(await counts()).toContain(`{table="secrets",key="${before.keyIds.newest}",use="previous"} 1`);
    expect(said().map(([msg]) => msg)).not.toContainEqual(expect.stringContaining('can be removed'));
    await db.pool.query('delete from secrets where owner = 0');
    expect(await open(after)).toEqual(['secret 1', 'secret 2']);
  });

  it('a rotation counts rows under a key that is not configured as missing their key, and leaves them (Y2)', async () => {
    const lost = sealWith({ encryptionKey: newKey() });
    await insert(lost, [7]);
    await walk(rotated);
    expect(await counts()).toContain(`{table="secrets",key="${lost.keyIds.newest}",use="missing"} 1`);
    expect(await open(lost)).toEqual(['secret 7']);
  });

  it('a rotation leaves a secret that was replaced while its row was being sealed again (Y2)', async () => {
    await insert(before, [1]);
    const late = before.seal('replaced', 'secrets/1');
    const replacing: Db = {
      ...db,
      async query(statement, values) {
        if (statement.text.startsWith('update'))
          await db.pool.query('update secrets set sealed = $1 where key_id = $2', [late.bytes, late.keyId]);
        return db.query(statement, values);
      },
    };
    const loop = resealRows({ db: replacing, seal: rotated, log, columns: [column] });
    await loop.runOnce(signal);
    expect(await open(before)).toEqual(['replaced']);
  });

  it('a rotation reads nothing while no previous key is configured (Y2)', async () => {
    await insert(before, [1]);
    expect(await walk(after)).toBe(1);
    expect(await open(before)).toEqual(['secret 1']);
  });
});
