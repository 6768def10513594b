import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { routes } from '../src/http/routes.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { refuseEverything } from './support/refuse-everything.ts';
import { bodies, encodeCursor, id, queries } from './support/requests.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  refuseEverything(dashboard.others, keep);
});
afterAll(() => dashboard?.close());

const columns: Readonly<Record<string, readonly string[]>> = {
  timestamptz: [
    'since',
    'until',
    'created_at',
    'created_after',
    'created_before',
    'last_payment_after',
    'last_payment_before',
  ],
  uuid: [
    'id',
    'endpoint_id',
    'delivery_id',
    'recovery_id',
    'group_id',
    'group_payment_id',
    'customer_id',
    'key_id',
  ],
  'uuid[]': ['slot_ids', 'group_ids'],
  bigint: ['limit', 'offset', 'seconds', 'days'],
};

/** Sends a request's texts to Postgres, as each service behind the dashboard does. */
async function keep({ after, ...asked }: Record<string, unknown>): Promise<void> {
  await dashboard.rows('select $1::jsonb', [JSON.stringify({ after, ...asked })]);
  const values: Record<string, unknown> = { ...asked, ...(after as object | undefined) };
  for (const [type, names] of Object.entries(columns))
    for (const name of names) await dashboard.rows(`select $1::${type}`, [values[name] ?? null]);
}

const refusal = {
  error: expect.any(String),
  message: expect.any(String),
  version: '1.0.0',
  code: expect.any(String),
  request_id: expect.stringMatching(/^req_/),
};

const year0 = { created_at: '0000-01-01T00:00:00Z', id };
const farEast = { created_at: '2026-01-01T00:00:00+23:00', id };
const hostile = [
  '',
  '\u0000',
  '\ud800',
  'good\u0000',
  'https://shop.example/\u0000',
  'https://shop.example/\ud800',
  "' or 1=1 --",
  '__proto__',
  'test',
  'gateway_a',
  '🦊'.repeat(200),
  id,
  `urn:uuid:${id}`,
  `{${id}}`,
  '-1',
  '9007199254740993',
  '9999999999999999',
  '1e400',
  year0.created_at,
  farEast.created_at,
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:60Z',
  'infinity',
  encodeCursor(year0),
  encodeCursor(farEast),
  encodeCursor({ created_at: 'infinity', id }),
  encodeCursor({ created_at: '2026-01-01T00:00:00Z', id: `urn:uuid:${id}` }),
  encodeCursor({ created_at: '2026-01-01T00:00:00Z', id, also: '\u0000' }),
  encodeCursor(null),
];
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), {
  weight: 3,
  arbitrary: fc.constantFrom(...hostile),
});
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    { weight: 2, arbitrary: text },
    fc.double(),
    fc.constantFrom(null, true, 1e308, -0, 2 ** 53, -1),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const raw = fc.oneof(
  value.map((made) => Buffer.from(JSON.stringify(made) ?? '')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{', '[['.repeat(20_000), '{"mode":"test","mode":"live"}', '\ufeff{}')
    .map((t) => Buffer.from(t)),
);

type Request = { readonly method: string; readonly path: string; readonly bytes?: Buffer | undefined };
type Fields = Readonly<Record<string, unknown>>;

/** Valid input of a route, with one field spoilt. */
const spoilt = <T>(made: Fields, by: fc.Arbitrary<T>): fc.Arbitrary<Fields> =>
  fc
    .tuple(fc.constantFrom(...Object.keys(made), 'unknown'), by)
    .map(([field, spoiling]) => ({ ...made, [field]: spoiling }));

function fillPath(route: string, param: string): string {
  return route.replaceAll(/:[a-z_]+/g, encodeURIComponent(param.toWellFormed())).replace(/\?$/, '');
}

/** Half a character cannot be written in an address. */
function formatQuery(fields: Fields): string {
  const pairs = Object.entries(fields).map(([name, given]) => [name, String(given).toWellFormed()]);
  return new URLSearchParams(pairs as [string, string][]).toString();
}

const param = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(id, 'gateway_a') }, text);
const written = fc.constantFrom(...Object.entries(bodies)).chain(([route, made]) => {
  const [method = '', path = ''] = route.split(' ');
  const spoiltBody = spoilt(made, value).map((body) => Buffer.from(JSON.stringify(body)));
  const body = fc.oneof({ weight: 4, arbitrary: spoiltBody }, raw);
  return fc.record({ method: fc.constant(method), path: param.map((p) => fillPath(path, p)), bytes: body });
});
const asked = fc.constantFrom(...Object.entries(queries)).chain(([route, made]) => {
  const [method = '', path = ''] = route.split(' ');
  return fc
    .tuple(param, spoilt(made, text))
    .map(([p, fields]) => ({ method, path: `${fillPath(path, p)}?${formatQuery(fields)}` }));
});
const elsewhere = fc
  .tuple(fc.constantFrom('PATCH /api/keys', 'GET /api/nowhere', 'POST /api/prod/webhooks'), raw)
  .map(([route, bytes]) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path, bytes: method === 'GET' ? undefined : bytes };
  });
const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 10, arbitrary: written },
  { weight: 8, arbitrary: asked },
  elsewhere,
);

/** A session that has logged out is refused. */
const cookieFor = (path: string) => (path === '/api/logout' ? {} : { cookie: member.cookie });

it('the hostile input covers every route that writes, and every one with a query', () => {
  const all = routes(dashboard.parts).filter(({ path }) => !path.startsWith('/api/live/'));
  const names = all.map(({ method, path }) => `${method} ${path}`);
  const writing = names.filter((name) => !name.startsWith('GET '));
  expect(Object.keys(bodies).sort()).toEqual(writing.sort());
  const known = new Set(Object.keys(queries).map((name) => name.replace(/\?$/, '')));
  const plain = [
    '/api/me',
    '/api/team',
    '/api/profile/sessions',
    '/api/profile/passkeys',
    '/api/test/setup',
    '/api/test/webhooks',
    '/api/test/changes',
  ];
  const reading = names.filter((name) => name.startsWith('GET ') && !known.has(name));
  expect(reading.sort()).toEqual(
    [...plain, '/api/test/balance', '/api/test/clock'].map((path) => `GET ${path}`).sort(),
  );
});

it('any input gets a documented response: never a 5xx, every error in the documented shape', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, bytes }) => {
      const reply = await dashboard.send(method, path, {
        ...cookieFor(path),
        headers: { 'idempotency-key': 'k' },
        body: bytes,
      });
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      expect(reply.status).toBeLessThan(500);
      if (reply.status < 400) return;
      expect(reply.body).toMatchObject(refusal);
      expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.ts|postgres|syntax error|relation/i);
    }),
    { numRuns: 2_500 },
  );
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
});

describe('400 for what Postgres would refuse, before anybody is asked or anything is noted', () => {
  const mode = '/api/live';
  const places = [year0, farEast, { ...year0, created_at: 'infinity' }, { ...farEast, id: `urn:uuid:${id}` }];
  const lists = ['group-payments', 'events', `webhooks/${id}/deliveries`];
  const refused: [string, string, object | undefined, string][] = [
    ['GET', `/api/audit?cursor=urn:uuid:${id}`, undefined, 'cursor'],
    ['GET', `${mode}/events?group_payment_id=urn:uuid:${id}`, undefined, 'group_payment_id'],
    ...lists.flatMap((list) =>
      places.map((place): [string, string, undefined, string] => [
        'GET',
        `${mode}/${list}?cursor=${encodeCursor(place)}`,
        undefined,
        'cursor',
      ]),
    ),
    ...['\u0000', '\ud800'].flatMap((description): [string, string, object, string][] => [
      ['POST', `${mode}/webhooks`, { url: 'https://shop.example', description }, 'description'],
      ['PATCH', `${mode}/webhooks/${id}`, { url: 'https://evil.example', description }, 'description'],
      ['PATCH', `${mode}/webhooks/${id}`, { url: `https://evil.example/${description}` }, 'url'],
    ]),
    ['POST', '/api/login', { email: 'a@b.example', password: '\ud800' }, 'password'],
  ];
  it.each(refused)(
    'text that Postgres would refuse is a 400 before any call or note: %s %s %j',
    async (method, path, body, at) => {
      const { status, body: answer } = await dashboard.send(method, path, { cookie: member.cookie, body });
      expect({ status, answer }).toMatchObject({
        status: 400,
        answer: { ...refusal, code: 'validation_error', param: at },
      });
    },
  );
});
