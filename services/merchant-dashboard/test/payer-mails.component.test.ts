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

const put = (payer_mails: unknown, mode: unknown = 'test') =>
  member.put('/api/payer-mails', { mode, payer_mails });
const read = async (mode = 'test') => (await member.get(`/api/payer-mails?mode=${mode}`)).body;

describe('the switch for mails to payers', () => {
  it('mails to payers are off until they are switched on, which is announced and in the audit log (Q77)', async () => {
    expect(await read()).toMatchObject({ payer_mails: false });
    expect(await put(true)).toMatchObject({ status: 200, body: { payer_mails: true } });
    expect(await read()).toMatchObject({ payer_mails: true });
    expect((await put(false)).body).toMatchObject({ payer_mails: false });
    const announced = await dashboard.receive(2);
    expect(announced).toEqual(
      [true, false].map((payer_mails) =>
        expect.objectContaining({ mode: 'test', settings: expect.objectContaining({ payer_mails }) }),
      ),
    );
    const entries = await dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'payer_mails.changed' order by id`,
      [member.id],
    );
    expect(entries).toEqual([true, false].map((payer_mails) => ({ details: { mode: 'test', payer_mails } })));
  });

  it('the switch of one mode is not that of the other, nor of another merchant (S9)', async () => {
    await put(true, 'live');
    expect(await read('live')).toMatchObject({ payer_mails: true });
    expect(await read('test')).toMatchObject({ payer_mails: false });
    const other = await dashboard.newMerchant();
    expect((await other.get('/api/payer-mails?mode=live')).body).toMatchObject({ payer_mails: false });
  });

  it('the page is told that the installation has a mail server', async () => {
    expect(await read()).toMatchObject({ is_available: true });
  });

  it.each([
    ['test', 'of checkout, too', true],
    ['test', 'of the dashboard alone', false],
    ['live', 'of checkout, too', false],
  ] as const)(
    'where mails go into a folder, the page of %s mode is told whether it has those %s (Q109)',
    async (mode, _whose, isAvailable) => {
      const usual = dashboard.showMailbox({
        list: async () => [],
        has: async (sender) => sender === 'checkout' && (isAvailable || mode === 'live'),
      });
      const told = await read(mode);
      usual();
      expect(told).toMatchObject({ is_available: isAvailable });
    },
  );

  it.each(['', 'true', 1, null, {}, undefined])(
    'a value that is neither on nor off is a 400 that names it, and nothing changes: %j',
    async (wrong) => {
      await put(true);
      expect(await put(wrong)).toMatchObject({ status: 400, body: { param: 'payer_mails' } });
      expect(await read()).toMatchObject({ payer_mails: true });
    },
  );
});
