import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { validationError } from '@gp/errors';
import { openEdge, type Edge } from './support/edge.ts';

const STATEMENT = '/v1/balance/statement';

let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

describe('GET /v1/balance', () => {
  it('a balance has exactly the decimals of its currency: two, none and three (Q46)', async () => {
    const { status, text } = await edge.get('/v1/balance');
    expect(status).toBe(200);
    const of = (
      currency: string,
      [held, released, captured, refunded, returned, reversed, disputed]: string[],
      onHold: string,
      net: string,
      tips: string,
    ) =>
      `{"psp_code":"gateway_b","currency":"${currency}","amount_on_hold":${onHold},"amount_net":${net},"amount_tips":${tips},` +
      `"amount_held":${held},` +
      `"amount_released":${released},"amount_captured":${captured},"amount_refunded":${refunded},"amount_returned":${returned},` +
      `"amount_reversed":${reversed},"amount_disputed":${disputed}}`;
    const balances = [
      of('EUR', ['150.00', '50.00', '90.00', '10.50', '0.50', '30.00', '0.01'], '10.00', '49.95', '2.50'),
      of('JPY', ['15000', '5000', '9000', '1050', '50', '3000', '1'], '1000', '4995', '250'),
      of('BHD', ['15.000', '5.000', '9.000', '1.050', '0.050', '3.000', '0.001'], '1.000', '4.995', '0.250'),
    ];
    expect(text).toBe(`{"balances":[${balances.join(',')}],"is_test_mode":true}`);
    expect(edge.fakes.received.balance).toEqual([{ merchant_id: 'm1', mode: 'test' }]);
  });
});

describe('GET /v1/balance/statement', () => {
  it('a statement has opening, movements, closing and days of each gateway and currency, however many replies they take (Q47)', async () => {
    const { status, body } = await edge.get(
      `${STATEMENT}?from=2026-01-01&to=2026-01-31&time_zone=Europe/Madrid`,
    );
    expect(status).toBe(200);
    const { statements, ...period } = body as { statements: { currency: string }[] };
    expect(period).toEqual({
      from: '2026-01-01',
      to: '2026-01-31',
      time_zone: 'Europe/Madrid',
      is_test_mode: true,
      is_final: true,
    });
    expect(statements.map(({ currency }) => currency)).toEqual(['EUR', 'JPY', 'BHD']);
    const movements = {
      amount_held: 150,
      amount_released: 50,
      amount_captured: 90,
      amount_refunded: 10.5,
      amount_returned: 0.5,
      amount_reversed: 30,
      amount_disputed: 0.01,
    };
    const closing = { amount_on_hold: 10, amount_net: 49.95, amount_tips: 2.5 };
    expect(statements[0]).toEqual({
      psp_code: 'gateway_b',
      currency: 'EUR',
      opening: { amount_on_hold: 0, amount_net: -0.05, amount_tips: 0 },
      movements,
      closing,
      days: [{ date: '2026-01-31', ...movements, ...closing }],
    });
    const asked = {
      merchant_id: 'm1',
      mode: 'test',
      from: '2026-01-01',
      to: '2026-01-31',
      time_zone: 'Europe/Madrid',
    };
    expect(edge.fakes.received.statement).toEqual([0, 1, 2].map((skip) => ({ ...asked, skip })));
  });

  it.each([
    ['from', 'from=2026-02-30'],
    ['from', 'from=2026-01-01T00:00:00Z'],
    ['to', 'to='],
    ['time_zone', 'time_zone=%2B05:30'],
    ['time_zone', 'time_zone='],
    ['month', 'month=2026-01'],
    ['from', 'from=2026-01-01&from=2026-01-02'],
  ])('a wrong %s in %s is refused before the ledger is asked (Q48)', async (param, query) => {
    const { status, body } = await edge.get(`${STATEMENT}?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'validation_error', param } });
    expect(edge.fakes.received.statement).toEqual([]);
  });

  it('a period that the ledger refuses is answered with the text of the ledger (Q48)', async () => {
    edge.fakes.answers.statement = () => Promise.reject(validationError('to', 'must not be before from'));
    const { status, body } = await edge.get(`${STATEMENT}?from=2026-02-01&to=2026-01-01`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'validation_error',
        param: 'to',
        message: 'Validation error: to: must not be before from',
      },
    });
  });
});
