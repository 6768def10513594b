import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
});
afterAll(() => dashboard?.close());

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', "' or 1=1 --", '__proto__', 'test', 'gateway_a', '🦊'.repeat(200)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double(),
    fc.constantFrom(null, true, 1e308, -0),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const fields = ['merchant_name', 'email', 'password', 'mode', 'name', 'psp_code', 'credentials'];
const body = fc.oneof(
  fc.dictionary(
    fc.constantFrom(...fields),
    fc.oneof(value, fc.constantFrom('test', 'a@b.example', 'gateway_a')),
  ),
  value,
);
const raw = fc.oneof(
  body.map((made) => Buffer.from(JSON.stringify(made) ?? '')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{', '[['.repeat(20_000), '{"mode":"test","mode":"live"}', '\ufeff{}')
    .map((t) => Buffer.from(t)),
);
const target = fc.oneof(
  fc.constantFrom(
    ['POST', '/api/signup'],
    ['POST', '/api/login'],
    ['POST', '/api/logout'],
    ['POST', '/api/keys'],
    ['POST', '/api/gateways/verify'],
    ['PUT', '/api/gateways/active'],
    ['PATCH', '/api/keys'],
    ['GET', '/api/nowhere'],
  ),
  text.map((t) => ['DELETE', `/api/keys/${encodeURIComponent(t.toWellFormed())}`]),
  text.map((t) => ['DELETE', `/api/gateways/gateway_a?mode=${encodeURIComponent(t.toWellFormed())}`]),
  text.map((t) => ['GET', `/api/keys?mode=${encodeURIComponent(t.toWellFormed())}`]),
) as fc.Arbitrary<[string, string]>;

it('whatever is sent, the answer is one of ours: never a 5xx, every error in the documented shape', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(target, raw, async ([method, path], bytes) => {
      const sent = method === 'GET' ? {} : { body: bytes };
      const reply = await dashboard.send(method, path, { cookie: member.cookie, ...sent });
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      expect(reply.status).toBeLessThan(500);
      if (reply.status < 400) return;
      expect(reply.body).toMatchObject({
        error: expect.any(String),
        message: expect.any(String),
        version: '1.0.0',
        code: expect.any(String),
        request_id: expect.stringMatching(/^req_/),
      });
      expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.ts|postgres|syntax error|relation/i);
    }),
    { numRuns: 600 },
  );
  expect([...seen.keys()]).toEqual(expect.arrayContaining([400, 404]));
});
