import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openCheckoutWeb, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
beforeAll(async () => (web = await openCheckoutWeb({ mints: 3 })));
afterAll(() => web?.close());

it('an address gets a bounded number of session tokens from links, and other addresses go on (X9)', async () => {
  const link = (n: number) => `/c/${String(n).padStart(22, 'x')}/session`;
  const mint = async (n: number, from: string) => {
    const answer = await web.ask(link(n), { method: 'POST', headers: { 'x-forwarded-for': from } });
    await answer.arrayBuffer();
    return answer;
  };
  for (const n of [1, 2, 3]) expect((await mint(n, '2001:db8::1')).status).not.toBe(429);
  const refused = await mint(4, '2001:db8::ffff');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await mint(4, '203.0.113.9')).status).not.toBe(429);
});
