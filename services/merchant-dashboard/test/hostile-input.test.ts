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

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), {
  weight: 3,
  arbitrary: fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '__proto__',
    'test',
    'gateway_a',
    '🦊'.repeat(200),
  ),
});
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
/** Good for some route when left alone: what comes past the first checks, where one field is spoilt. */
const valid = {
  '/api/signup': { merchant_name: 'X', email: 'a@b.example', password: 'long enough to be one' },
  '/api/login': { email: 'a@b.example', password: 'x' },
  '/api/keys': { mode: 'test', name: 'server' },
  '/api/gateways': { mode: 'test', psp_code: 'gateway_a', credentials: { secret_key: 'x' } },
};
const spoilt = fc.constantFrom(...Object.entries<Record<string, unknown>>(valid)).chain(([path, made]) =>
  fc
    .record({ path: fc.constant(path), field: fc.constantFrom(...Object.keys(made)), value })
    .map((change) => ({
      path: change.path,
      body: { ...made, [change.field]: change.value },
    })),
);
const body = fc.oneof(
  spoilt.map((made) => made.body),
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

const request = fc.oneof(
  spoilt.map((made) => ({ method: 'POST', path: made.path, bytes: Buffer.from(JSON.stringify(made.body)) })),
  fc.tuple(target, raw).map(([[method, path], bytes]) => ({
    method,
    path,
    bytes: method === 'GET' ? undefined : bytes,
  })),
);

it('whatever is sent, the answer is one of ours: never a 5xx, every error in the documented shape', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, bytes }) => {
      const reply = await dashboard.send(method, path, { cookie: member.cookie, body: bytes });
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
    { numRuns: 1_500 },
  );
  expect([...seen.keys()]).toEqual(expect.arrayContaining([400, 404]));
});
