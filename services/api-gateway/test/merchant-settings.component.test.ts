import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findSettings, outboxMigrations, upsertSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { patientPg, testDatabase, type TestDatabase } from '@gp/testing';

const migrations = new URL('../migrations', import.meta.url).pathname;
const owner = { merchant_id: 'm1', mode: 'test' } as const;
const shop = ['https://shop.example'];

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  const schema = 'api_gateway';
  database = await testDatabase({ schemas: [{ schema, directories: [outboxMigrations, migrations] }] });
  db = await patientPg({ url: database.url(schema), name: 'test', max: 2 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const stored = async () =>
  (await db.pool.query<{ settings: unknown }>('select settings from allowed_origins')).rows[0]?.settings;

it('settings are stored by merchant and mode; an older announcement changes nothing', async () => {
  await upsertSettings(db, { ...owner, origins: shop, revision: 2 });
  await upsertSettings(db, { ...owner, origins: [], revision: 1 });
  expect(await findSettings(db, [{ merchantId: 'm1', mode: 'test' }])).toEqual([
    {
      ...owner,
      allowed_origins: shop,
      business_name: '',
      brand_color: '',
      support_email: '',
      support_url: '',
      payer_mails: false,
      organiser_rights: [],
      revision: 2,
    },
  ]);
  expect(await findSettings(db, [{ merchantId: 'm1', mode: 'live' }])).toEqual([]);
});

it('a setting of a newer release is kept, also when an older release sends the message', async () => {
  const settings = { capture_at_expiry: true };
  await upsertSettings(db, { ...owner, origins: shop, settings, revision: 3 });
  await upsertSettings(db, { ...owner, origins: [], revision: 4 });
  expect(await stored()).toEqual(settings);
});
