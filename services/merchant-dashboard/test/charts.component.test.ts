import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sumMoney } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const CURRENCIES = ['EUR', 'GBP', 'JPY', 'USD', 'NOK', 'CHF'];
/** A script of the page weighs more than this. */
const MOST_BYTES = 3_000;

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  dashboard.others.serve(sumMoney, async () => ({
    now: '2026-01-31T12:00:00.000Z',
    sums: CURRENCIES.map((currency) => ({
      ...{ day: '2026-01-30', currency },
      ...{ held_minor: '12345', captured_minor: '2345', refunded_minor: '1' },
    })),
    groups: [{ state: 'paid' as const, count: 3 }],
  }));
});
afterAll(() => dashboard?.close());

/** Asks for the money of 30 days as a browser does; returns the encoding, and the body as it was sent. */
const ask = (encoding: string): Promise<{ encoding: string | undefined; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = { cookie: member.cookie, 'accept-encoding': encoding };
    const at = { host: '127.0.0.1', port: dashboard.server.port, path: '/api/test/charts/money', headers };
    request({ ...at, agent: false }, (response) => {
      const { 'content-encoding': used } = response.headers;
      buffer(response).then((bytes) => resolve({ encoding: used, bytes }), reject);
    })
      .on('error', reject)
      .end();
  });

it('the chart of a merchant with several currencies is sent compressed, and is the same as without', async () => {
  const [br, gzip, plain] = [await ask('gzip, br'), await ask('gzip'), await ask('identity')];
  expect([br, gzip, plain].map(({ encoding }) => encoding)).toEqual(['br', 'gzip', undefined]);
  expect(br.bytes.length).toBeLessThan(MOST_BYTES);
  expect(gzip.bytes.length).toBeLessThan(MOST_BYTES);
  expect(plain.bytes.length).toBeGreaterThan(10 * MOST_BYTES);
  const chart = JSON.parse(plain.bytes.toString()) as { currencies: { days: unknown[] }[] };
  expect(chart.currencies.map(({ days }) => days.length)).toEqual(CURRENCIES.map(() => 30));
  expect(JSON.parse(brotliDecompressSync(br.bytes).toString())).toEqual(chart);
  expect(JSON.parse(gunzipSync(gzip.bytes).toString())).toEqual(chart);
});
