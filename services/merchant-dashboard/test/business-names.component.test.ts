import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { SettingsChanged } from '@gp/contracts';
import { publishBusinessNames } from '../src/app/settings/business-names.ts';
import { openDashboard, type Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());
beforeEach(() => dashboard.forget());

const pass = () => publishBusinessNames(dashboard.parts).runOnce(AbortSignal.timeout(10_000));
const received = async (count: number, merchantId: string) =>
  ((await dashboard.receive(count)) as SettingsChanged[]).filter((one) => one.merchant_id === merchantId);

it("a new merchant's name is published once for each mode, beside the settings that are there", async () => {
  const member = await dashboard.newMerchant();
  const origins = ['https://shop.example'];
  await dashboard.rows(`insert into allowed_origins (merchant_id, mode, origins) values ($1, 'test', $2)`, [
    member.id,
    origins,
  ]);
  expect(await pass()).toBe('idle');
  const of = {
    merchant_id: member.id,
    settings: {
      business_name: 'Casa Lola',
      brand_color: '',
      support_email: '',
      support_url: '',
      payer_mails: false,
      organiser_rights: [],
    },
    revision: 1,
  };
  expect(await received(2, member.id)).toEqual([
    { ...of, mode: 'live', origins: [] },
    { ...of, mode: 'test', origins },
  ]);
  await pass();
  await member.put('/api/origins', { mode: 'live', origins });
  expect((await received(3, member.id)).at(-1)).toEqual({ ...of, mode: 'live', origins, revision: 2 });
});

it('a process looks at every merchant once, and then at those that signed up in the last minutes', async () => {
  const signal = AbortSignal.timeout(30_000);
  const now = publishBusinessNames(dashboard.parts);
  const inAnHour = publishBusinessNames(dashboard.parts, () => Date.now() + 3_600_000);
  for (const loop of [now, inAnHour]) await loop.runOnce(signal);
  const { id } = await dashboard.newMerchant();
  const published = () =>
    dashboard.rows(`select mode from allowed_origins where merchant_id = $1 order by mode`, [id]);
  await inAnHour.runOnce(signal);
  expect(await published()).toEqual([]);
  await now.runOnce(signal);
  expect(await published()).toEqual([{ mode: 'live' }, { mode: 'test' }]);
});

it("a name that changed is published again, and settings set before it was published have the merchant's name", async () => {
  const member = await dashboard.newMerchant();
  await member.put('/api/origins', { mode: 'test', origins: [] });
  expect((await received(1, member.id)).map(({ settings }) => settings)).toEqual([
    {
      business_name: 'Casa Lola',
      brand_color: '',
      support_email: '',
      support_url: '',
      payer_mails: false,
      organiser_rights: [],
    },
  ]);
  await pass();
  await received(2, member.id);
  await dashboard.rows(`update merchants set name = 'Casa Leo' where id = $1`, [member.id]);
  await pass();
  // Each mode has an order of its own.
  const latest = new Map((await received(4, member.id)).map(({ mode, settings }) => [mode, settings]));
  const renamed = {
    business_name: 'Casa Leo',
    brand_color: '',
    support_email: '',
    support_url: '',
    payer_mails: false,
    organiser_rights: [],
  };
  expect(Object.fromEntries(latest)).toEqual({ live: renamed, test: renamed });
});
