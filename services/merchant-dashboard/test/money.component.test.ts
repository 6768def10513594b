import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findBalance,
  findStatement,
  type MoneyMovements,
  type MoneyStatement,
  type RequestOf,
} from '@gp/contracts';
import { validationError } from '@gp/errors';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const movements: MoneyMovements = {
  held_minor: '15000',
  released_minor: '5000',
  captured_minor: '9000',
  refunded_minor: '1050',
  returned_minor: '50',
  reversed_minor: '3000',
  disputed_minor: '1',
};
const opening = { on_hold_minor: '0', net_minor: '-5' };
const closing = { on_hold_minor: '1000', net_minor: '4995', tips_minor: '250' };
const statements: readonly MoneyStatement[] = ['EUR', 'JPY', 'BHD'].map((currency) => ({
  psp_code: 'gateway_a',
  currency,
  opening,
  movements,
  closing,
  days: [{ day: '2026-01-10', ...movements, ...closing }],
}));
const money = (minor: string, text: string) => ({ minor, currency: 'EUR', text });

let dashboard: Dashboard;
let member: Member;
const asked: RequestOf<typeof findStatement>[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  dashboard.others.serve(findBalance, () =>
    Promise.resolve({
      balances: [{ psp_code: 'gateway_a', currency: 'EUR', ...closing, movements }],
    }),
  );
  // One statement in each reply.
  dashboard.others.serve(findStatement, async ({ from = '2026-01-01', to = '2026-01-31', ...request }) => {
    asked.push({ from, to, ...request });
    const { time_zone = 'UTC', skip } = request;
    if (time_zone === 'Europe/Nowhere') throw validationError('time_zone', 'must be the name of a time zone');
    return {
      from,
      to,
      time_zone,
      statements: statements.slice(skip, skip + 1),
      is_cut: skip < 2,
      is_final: true,
    };
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => void asked.splice(0));

const download = async (query: string) => {
  const address = `http://127.0.0.1:${dashboard.server.port}/api/live/statement/export?${query}`;
  const response = await fetch(address, { headers: { cookie: member.cookie } });
  return { headers: response.headers, text: await response.text() };
};

describe('the money of a merchant', () => {
  it('the balance of a gateway and currency is shown with all decimals (Q46)', async () => {
    const { status, body } = await member.get('/api/test/balance');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        balances: [
          {
            psp_code: 'gateway_a',
            currency: 'EUR',
            on_hold: money('1000', '10.00'),
            net: money('4995', '49.95'),
            tips: money('250', '2.50'),
            held: money('15000', '150.00'),
            released: money('5000', '50.00'),
            captured: money('9000', '90.00'),
            refunded: money('1050', '10.50'),
            returned: money('50', '0.50'),
            reversed: money('3000', '30.00'),
            disputed: money('1', '0.01'),
          },
        ],
      },
    });
  });

  it('a statement has all gateways and currencies, however many replies of the ledger they take (Q47)', async () => {
    const { body } = await member.get('/api/live/statement?from=2026-01-01&time_zone=Europe/Madrid');
    expect(body).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
      time_zone: 'Europe/Madrid',
      is_final: true,
    });
    const shown = (body as { statements: { currency: string; opening: { net: object } }[] }).statements;
    expect(shown.map(({ currency }) => currency)).toEqual(['EUR', 'JPY', 'BHD']);
    expect(shown[0]?.opening.net).toEqual(money('-5', '-0.05'));
    const request = { merchant_id: member.id, mode: 'live', from: '2026-01-01', time_zone: 'Europe/Madrid' };
    expect(asked).toMatchObject([0, 1, 2].map((skip) => ({ ...request, skip })));
  });

  it.each([
    'from=2026-02-30',
    'from=x',
    'to=2026-01-01T00:00:00Z',
    'time_zone=%2B05:30',
    'time_zone=Europe/Nowhere',
    'month=1',
  ])('a wrong period, %s, is a mistake of the request (Q48)', async (query) => {
    const { status, body } = await member.get(`/api/test/statement?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'validation_error' } });
  });
});

describe('a downloaded statement', () => {
  it('a CSV file has opening, days, movements and closing of each gateway and currency, exact, and its name says in which time zone (Q50)', async () => {
    const { headers, text } = await download(
      'from=2026-01-01&to=2026-01-31&time_zone=Europe/Madrid&format=csv',
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="statement-live-2026-01-01-2026-01-31-Europe-Madrid.csv"',
    );
    const lines = text.split('\r\n');
    const quote = (fields: string) =>
      fields
        .split(',')
        .map((field) => `"${field}"`)
        .join(',');
    const line = (fields: string) => quote(`${fields},Europe/Madrid,true`);
    expect(lines.slice(0, 5)).toEqual([
      quote(
        'line,date,psp_code,currency,amount_held,amount_released,amount_captured,amount_refunded,amount_returned,' +
          'amount_reversed,amount_disputed,amount_on_hold,amount_net,amount_tips,time_zone,is_final',
      ),
      line('opening,2026-01-01,gateway_a,EUR,,,,,,,,0.00,-0.05,0.00'),
      line('day,2026-01-10,gateway_a,EUR,150.00,50.00,90.00,10.50,0.50,30.00,0.01,10.00,49.95,2.50'),
      line('movements,2026-01-31,gateway_a,EUR,150.00,50.00,90.00,10.50,0.50,30.00,0.01,,,'),
      line('closing,2026-01-31,gateway_a,EUR,,,,,,,,10.00,49.95,2.50'),
    ]);
    expect(lines[8]).toBe(line('closing,2026-01-31,gateway_a,JPY,,,,,,,,1000,4995,250'));
    expect(lines[12]).toBe(line('closing,2026-01-31,gateway_a,BHD,,,,,,,,1.000,4.995,0.250'));
    expect(lines.slice(13)).toEqual(['']);
  });

  it('a JSON file has the form of the API, with amounts as decimal texts (Q50)', async () => {
    const { headers, text } = await download('from=2026-01-01&to=2026-01-31&format=json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const file = JSON.parse(text) as { statements: object[] };
    expect(file).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
      time_zone: 'UTC',
      is_test_mode: false,
      is_final: true,
    });
    expect(file.statements).toHaveLength(3);
    const moved = {
      amount_held: '15.000',
      amount_released: '5.000',
      amount_captured: '9.000',
      amount_refunded: '1.050',
      amount_returned: '0.050',
      amount_reversed: '3.000',
      amount_disputed: '0.001',
    };
    const closed = { amount_on_hold: '1.000', amount_net: '4.995', amount_tips: '0.250' };
    expect(file.statements[2]).toEqual({
      psp_code: 'gateway_a',
      currency: 'BHD',
      opening: { amount_on_hold: '0.000', amount_net: '-0.005', amount_tips: '0.000' },
      movements: moved,
      closing: closed,
      days: [{ date: '2026-01-10', ...moved, ...closed }],
    });
  });
});
