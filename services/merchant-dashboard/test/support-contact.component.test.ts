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

const nobody = { support_email: null, support_url: null };
const both = { support_email: 'hello@casalola.example', support_url: 'https://casalola.example/help' };
const put = (contact: object, mode: unknown = 'test') =>
  member.put('/api/support-contact', { mode, ...contact });
const read = async (who = member, mode = 'test') => (await who.get(`/api/support-contact?mode=${mode}`)).body;

describe('whom payers may ask', () => {
  it('a contact is stored as browsers write it, announced, in the audit log, and taken back (Q110)', async () => {
    expect(await read()).toEqual(nobody);
    const entered = { ...both, support_url: ' HTTPS://CasaLola.example/help ' };
    expect(await put(entered)).toMatchObject({ status: 200, body: both });
    expect(await read()).toEqual(both);
    expect((await put(nobody)).body).toEqual(nobody);
    expect(await read()).toEqual(nobody);
    expect(await dashboard.receive(2)).toEqual([
      expect.objectContaining({ mode: 'test', settings: expect.objectContaining(both) }),
      expect.objectContaining({
        mode: 'test',
        settings: expect.objectContaining({ support_email: '', support_url: '' }),
      }),
    ]);
    const entries = await dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'support_contact.changed' order by id`,
      [member.id],
    );
    expect(entries).toEqual([both, nobody].map((contact) => ({ details: { mode: 'test', ...contact } })));
  });

  it('a contact of one mode is not that of the other, nor of another merchant (S9)', async () => {
    await put(both, 'live');
    expect(await read(member, 'live')).toEqual(both);
    expect(await read()).toEqual(nobody);
    expect(await read(await dashboard.newMerchant(), 'live')).toEqual(nobody);
  });

  it('owners are mailed a change in live mode, and none in test mode (K9, Q110)', async () => {
    dashboard.mails.length = 0;
    await put(both);
    expect(dashboard.mails).toEqual([]);
    await put(both, 'live');
    expect(dashboard.mails).toEqual([
      expect.objectContaining({ text: expect.stringContaining('changed whom payers are told to ask') }),
    ]);
  });

  it.each([
    ['support_email', { support_email: 'hello' }],
    ['support_email', { support_email: 'a@b.example, c@d.example' }],
    ['support_email', { support_email: 'a@b.example\nBcc: eve@b.example' }],
    ['support_email', { support_email: '' }],
    ['support_email', { support_email: `${'a'.repeat(250)}@b.example` }],
    ['support_email', { support_email: 7 }],
    ['support_url', { support_url: 'javascript:alert(1)' }],
    ['support_url', { support_url: 'http://casalola.example' }],
    ['support_url', { support_url: 'https://bank.example@casalola.example' }],
    ['support_url', { support_url: '' }],
    ['support_url', { support_url: `https://casalola.example/${'a'.repeat(3_000)}` }],
    ['support_url', { support_url: undefined }],
    ['phone', { phone: '112' }],
  ])(
    'a contact with a wrong %s is a 400 that names it, and nothing changes: %j (Q110)',
    async (param, wrong) => {
      await put(both);
      expect(await put({ ...both, ...wrong })).toMatchObject({ status: 400, body: { param } });
      expect(await read()).toEqual(both);
    },
  );
});
