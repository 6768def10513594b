import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { Movement, RequestOf } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { openDownload, parseCsv, parseJsonLines } from './support/download.ts';

const uuid = (n: number) => `0198c3f0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const at = '2026-01-10T12:00:00.000Z';
const newMovement = (n: number, o: Partial<Movement> = {}): Movement => ({
  id: uuid(n),
  at,
  kind: 'captured',
  is_tip: false,
  psp_code: 'gateway_a',
  currency: 'EUR',
  amount_minor: '1001',
  group_id: uuid(1),
  group_name: '=1+1',
  merchant_order_id: `ORD-${n}`,
  client_reference: n % 2 === 0 ? '@SUM(A1)' : null,
  intent_id: uuid(2),
  ...o,
});
/** More than two pages of a file. */
const all = Array.from({ length: 250 }, (_, index) =>
  newMovement(1_000 + index, index === 1 ? { currency: 'BHD', kind: 'refunded', is_tip: true } : {}),
);
const total = {
  currency: 'EUR',
  kind: 'captured',
  count: 249,
  amount_minor: '249249',
  tips_minor: '100',
} as const;

let dashboard: Dashboard;
let member: Member;
let asked: RequestOf<typeof contracts.listMovements>[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  dashboard.others.serve(contracts.listMovements, async (request) => {
    asked.push(request);
    const { merchant_id, mode, limit, after, with_totals, from = '2026-01-01', to = '2026-01-31' } = request;
    const found = merchant_id === member.id && mode === 'live' ? all : [];
    const start = after ? found.findIndex(({ id }) => id === after.id) + 1 : 0;
    // A reply holds no more than a message.
    const movements = found.slice(start, start + Math.min(limit, 60));
    const last = start + movements.length < found.length ? movements.at(-1) : undefined;
    return {
      ...{ from, to, time_zone: 'UTC', movements, next: last ? { created_at: last.at, id: last.id } : null },
      ...(with_totals && { totals: found.length > 0 ? [total] : [] }),
    };
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  asked = [];
});

const download = async (query: string, mode = 'live') => {
  const path = `/api/${mode}/movements/export?${query}`;
  const { status, headers, read } = await openDownload(dashboard.server.port, path, member.cookie);
  return { status, headers, text: await read() };
};

describe('the movements of a merchant', () => {
  it('a page has amounts with all decimals, and the totals of all that the filter matches (Q102)', async () => {
    const query = 'from=2026-01-01&to=2026-01-31&time_zone=Europe/Madrid&kind=captured&currency=EUR&limit=2';
    const { status, body } = await member.get(`/api/live/movements?${query}&psp_code=gateway_a`);
    expect(status).toBe(200);
    const { movements, totals, next_cursor } = body as {
      movements: object[];
      totals: object[];
      next_cursor: string;
    };
    expect(movements).toHaveLength(2);
    expect(movements[1]).toEqual({
      id: uuid(1_001),
      at,
      kind: 'refunded',
      is_tip: true,
      amount: { minor: '1001', currency: 'BHD', text: '1.001' },
      psp_code: 'gateway_a',
      group_payment_id: uuid(1),
      group_name: '=1+1',
      merchant_order_id: 'ORD-1001',
      client_reference: null,
      payment_intent_id: uuid(2),
    });
    expect(totals).toEqual([
      {
        kind: 'captured',
        count: 249,
        amount: { minor: '249249', currency: 'EUR', text: '2492.49' },
        tips: { minor: '100', currency: 'EUR', text: '1.00' },
      },
    ]);
    const filter = { from: '2026-01-01', to: '2026-01-31', time_zone: 'Europe/Madrid', kind: 'captured' };
    const scope = { merchant_id: member.id, mode: 'live' };
    const rest = { currency: 'EUR', psp_code: 'gateway_a', limit: 2, with_totals: true };
    expect(asked).toEqual([{ ...scope, ...filter, ...rest }]);
    const next = await member.get(`/api/live/movements?limit=1&cursor=${next_cursor}`);
    expect(next.body).toMatchObject({ movements: [{ id: uuid(1_002) }] });
  });

  it.each([
    'kind=stolen',
    'currency=eur',
    'psp_code=gateway_z',
    'cursor=x',
    'limit=0',
    'limit=101',
    'month=1',
  ])('a wrong query, %s, is a mistake of the request (Q102)', async (query) => {
    const { status, body } = await member.get(`/api/test/movements?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(asked).toEqual([]);
  });

  it('movements of live mode are not those of test mode (S9)', async () => {
    const { body } = await member.get('/api/test/movements');
    expect(body).toMatchObject({ movements: [], totals: [], next_cursor: null });
    expect(asked).toMatchObject([{ merchant_id: member.id, mode: 'test' }]);
  });
});

describe('downloaded movements', () => {
  it('a CSV file has all that the filter matches, exact, and no text of it is a formula (Q102)', async () => {
    const { headers, text } = await download('kind=captured&format=csv');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="movements-live-[\dTZ-]+\.csv"$/);
    const rows = parseCsv(text);
    expect(rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(rows[0]).toEqual({
      at,
      kind: 'captured',
      is_tip: 'false',
      currency: 'EUR',
      amount: '10.01',
      amount_minor: '1001',
      psp_code: 'gateway_a',
      group_payment_id: uuid(1),
      group_name: "'=1+1",
      merchant_order_id: 'ORD-1000',
      client_reference: "'@SUM(A1)",
      payment_intent_id: uuid(2),
      id: uuid(1_000),
    });
    expect(rows[1]).toMatchObject({ amount: '1.001', is_tip: 'true', client_reference: '' });
    expect(asked.every(({ kind, with_totals }) => kind === 'captured' && !with_totals)).toBe(true);
  });

  it('JSON lines have the same movements, with amounts as decimal texts (Q102)', async () => {
    const rows = parseJsonLines((await download('format=jsonl')).text);
    expect(rows).toHaveLength(all.length);
    expect(rows[1]).toMatchObject({
      id: uuid(1_001),
      amount: '1.001',
      amount_minor: '1001',
      group_name: '=1+1',
    });
  });

  it('a download of movements or of a statement is in the audit log by the name of its file (Q102)', async () => {
    dashboard.others.serve(contracts.findStatement, async () => ({
      ...{
        from: '2026-01-01',
        to: '2026-01-31',
        time_zone: 'UTC',
        statements: [],
        is_cut: false,
        is_final: true,
      },
    }));
    await download('format=csv', 'test');
    await member.get('/api/live/statement/export?format=json');
    const { body } = await member.get('/api/audit');
    const names = (body as { entries: { action: string; details: { name?: string } }[] }).entries
      .filter(({ action }) => action === 'file.downloaded')
      .map(({ details }) => details.name);
    expect(names).toContain('statement-live-2026-01-01-2026-01-31-UTC.json');
    expect(names).toContainEqual(expect.stringMatching(/^movements-test-.*\.csv$/));
  });
});
