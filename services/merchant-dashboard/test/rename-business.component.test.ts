import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SettingsChanged } from '@gp/contracts';
import { publishBusinessNames } from '../src/app/settings/business-names.ts';
import { ROLES } from '../src/domain/roles.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.forget();
  dashboard.mails.length = 0;
});

const rename = (business_name: unknown, who = member) => who.put('/api/business-name', { business_name });
const findName = async () => (await member.get('/api/me')).body['merchant_name'];
const listNotes = () =>
  dashboard.rows<{ actor: string; details: object }>(
    `select actor, details from audit_log where merchant_id = $1 and action = 'business.renamed' order by id`,
    [member.id],
  );

it('a new name is published at once in both modes, with the other settings as they are (K16)', async () => {
  await member.put('/api/branding', { mode: 'live', brand_color: '#0b5d3b' });
  expect(await rename(' Casa Leo ')).toMatchObject({ status: 200, body: { business_name: 'Casa Leo' } });
  const published = ((await dashboard.receive(3)) as SettingsChanged[]).slice(-2);
  expect(published.map(({ mode, settings, revision }) => ({ mode, settings, revision }))).toMatchObject([
    { mode: 'live', settings: { business_name: 'Casa Leo', brand_color: '#0b5d3b' }, revision: 2 },
    { mode: 'test', settings: { business_name: 'Casa Leo', brand_color: '' }, revision: 1 },
  ]);
  expect(await findName()).toBe('Casa Leo');
  const loop = publishBusinessNames(dashboard.parts);
  await loop.runOnce(AbortSignal.timeout(10_000));
  const [revision] = await dashboard.rows<{ revision: string }>(
    `select sum(revision)::text as revision from revisions where merchant_id = $1`,
    [member.id],
  );
  expect(revision?.revision).toBe('3');
});

it('the audit log says who gave the business which name (K16)', async () => {
  const admin = await dashboard.colleague(member, 'admin');
  await rename('Casa Leo', admin);
  expect(await listNotes()).toEqual([{ actor: admin.email, details: { from: 'Casa Lola', to: 'Casa Leo' } }]);
});

it('the owners get a mail about a new name, which repeats neither name (K16, K12)', async () => {
  const admin = await dashboard.colleague(member, 'admin');
  await rename('evil.example/pay', admin);
  expect(dashboard.mails.map(({ to }) => to)).toEqual([member.email]);
  const [mail] = dashboard.mails;
  expect(mail?.subject).toBe(`Your business was renamed by ${admin.email}`);
  expect(mail?.text).toContain('https://dashboard.example/live/audit');
  expect(mail?.text).not.toContain('evil.example');
});

it('the same name again changes, records and mails nothing (K16)', async () => {
  expect(await rename('Casa Lola')).toMatchObject({ status: 200, body: { business_name: 'Casa Lola' } });
  expect(await listNotes()).toEqual([]);
  expect(dashboard.mails).toEqual([]);
  expect(await dashboard.rows('select 1 from revisions where merchant_id = $1', [member.id])).toEqual([]);
});

it('names that arrive at once are one after the other in the audit log, and the last one stays (K16)', async () => {
  const names = ['Casa Uno', 'Casa Dos', 'Casa Tres', 'Casa Cuatro'];
  const replies = await Promise.all(names.map((name) => rename(name)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const details = (await listNotes()).map((note) => note.details as { from: string; to: string });
  expect(details.map(({ from }) => from)).toEqual(['Casa Lola', ...details.slice(0, -1).map(({ to }) => to)]);
  expect(await findName()).toBe(details.at(-1)?.to);
});

it.each(ROLES)(
  'a member with the role %s renames the business only as an owner or admin (K16)',
  async (role) => {
    const isAllowed = ['owner', 'admin'].includes(role);
    const { status } = await rename('Casa Leo', await dashboard.colleague(member, role));
    expect(status).toBe(isAllowed ? 200 : 403);
    expect(await findName()).toBe(isAllowed ? 'Casa Leo' : 'Casa Lola');
  },
);

describe('names that are refused', () => {
  it.each([
    [''],
    ['   '],
    ['x'.repeat(101)],
    ['Casa\u202ELola'],
    ['Casa\u200BLola'],
    ['\u200D\u3164'],
    ['Casa\nLola'],
    ['Casa\u0000'],
    [null],
    [7],
    [undefined],
  ])('the name %j is a 400 that names the field, and the old one stays (K16, X4)', async (name) => {
    expect(await rename(name)).toMatchObject({ status: 400, body: { param: 'business_name' } });
    expect(await findName()).toBe('Casa Lola');
    expect(await listNotes()).toEqual([]);
  });
});
