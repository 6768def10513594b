import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;

beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.forget();
});

const put = (organiser_rights: unknown, mode: unknown = 'test', who = member) =>
  who.put('/api/organiser-rights', { mode, organiser_rights });
const read = async (mode = 'test') => (await member.get(`/api/organiser-rights?mode=${mode}`)).body;

describe('what organisers may do by default', () => {
  it('organisers have no rights by default until they are given, which is announced and in the audit log (Q83)', async () => {
    expect(await read()).toEqual({ organiser_rights: [] });
    const chosen = ['remind', 'cancel'];
    expect(await put(chosen)).toMatchObject({ status: 200, body: { organiser_rights: chosen } });
    expect(await read()).toEqual({ organiser_rights: chosen });
    expect((await put([])).body).toEqual({ organiser_rights: [] });
    expect(await dashboard.receive(2)).toEqual(
      [chosen, []].map((organiser_rights) =>
        expect.objectContaining({ mode: 'test', settings: expect.objectContaining({ organiser_rights }) }),
      ),
    );
    const entries = await dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'organiser_rights.changed' order by id`,
      [member.id],
    );
    expect(entries).toEqual(
      [chosen, []].map((organiser_rights) => ({ details: { mode: 'test', organiser_rights } })),
    );
  });

  it('the rights by default of one mode are not those of the other, nor of another merchant (S9)', async () => {
    await put(['extend'], 'live');
    expect(await read('live')).toEqual({ organiser_rights: ['extend'] });
    expect(await read('test')).toEqual({ organiser_rights: [] });
    const other = await dashboard.newMerchant();
    expect((await other.get('/api/organiser-rights?mode=live')).body).toEqual({ organiser_rights: [] });
  });

  it.each([
    ['owner', 200],
    ['admin', 200],
    ['developer', 200],
    ['support', 403],
    ['viewer', 403],
  ] as const)(
    'a member with the role %s who changes the rights by default gets a %i',
    async (role, status) => {
      const colleague = await dashboard.colleague(member, role);
      expect((await put(['remind'], 'test', colleague)).status).toBe(status);
      expect(await read()).toEqual({ organiser_rights: status === 200 ? ['remind'] : [] });
    },
  );

  it.each([['refund'], ['remind', 'remind'], 'remind', null, {}, undefined].map((wrong) => [wrong]))(
    'rights by default that do not exist are a 400 that names them, and nothing changes: %j',
    async (wrong) => {
      await put(['extend']);
      const { status, body } = await put(wrong);
      expect(status).toBe(400);
      expect(body['param']).toMatch(/^organiser_rights/);
      expect(await read()).toEqual({ organiser_rights: ['extend'] });
    },
  );
});
