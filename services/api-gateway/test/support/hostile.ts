import fc from 'fast-check';
import { card, createBody } from './edge.ts';

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
};

const id = '0198c3f0-0000-7000-8000-00000000000a';

const deep = (open: string, close: string, n: number) => open.repeat(n) + close.repeat(n);

/** Texts that stand where a value should, each known to have broken some server. */
const values = [
  ...['NaN', 'Infinity', '-Infinity', 'undefined', '01', '+1', '.5', '1.', '0x10', '1_000', "'a'", '/**/1'],
  ...['1e999', '-1e999', '1e-999', '1e9999', '9007199254740993', '-0', '0.1e1', '1E400', '9'.repeat(127)],
  ...['9'.repeat(5_000), `0.${'0'.repeat(100)}1`, '1e308', '4.9e-324', '2147483648', '-9223372036854775809'],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u202e"',
    '"\\ufeff"',
    `"${'a'.repeat(70_000)}"`,
  ],
  ...[
    '"null"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"<script>"',
    `"' or 1=1 --"`,
    '"${7*7}"',
    '"%s%n"',
  ],
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"":""}', '[{}]'],
  ...['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}', '{"toJSON":1}', '{"length":9e9}'],
  ...['{"then":"x"}', '{"a":1,"a":2}', '{"type":"equally","type":"custom"}', '{"type":["equally"]}'],
  ...[
    '{"type":{"toString":1}}',
    '{"type":"custom","slots":{"length":3}}',
    '{"type":"equally","number_of_slots":1e2}',
  ],
  ...[
    deep('[', ']', 150),
    deep('[', ']', 250),
    deep('[', ']', 60_000),
    deep('{"a":', '}', 150),
    '['.repeat(100_000),
  ],
  ...[
    '"9999-12-31T23:59:59-23:59"',
    '"0000-00-00T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"2016-12-31T23:59:60Z"',
  ],
  ...['"275760-09-13T00:00:00Z"', '"-000001-01-01T00:00:00Z"', '"2026-01-01T24:00:00Z"', `"urn:uuid:${id}"`],
  ...[
    '"http://[::"',
    '"https://a:99999/"',
    '"https://%00/"',
    '"https://\\u0000/"',
    '"a@b.c@d.e"',
    `"${'a.'.repeat(5_000)}@b"`,
  ],
  ...[
    '"ev:"',
    '"ev:\\u0000"',
    `[${'0,'.repeat(20_000)}0]`,
    `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":0`).join()}}`,
  ],
];

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.double().map((n) => String(n)) },
);

const fieldName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'merchant_order_id',
    '',
    '\\u0000',
    'a.b',
    '$ref',
    '0',
  ),
  fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1)),
);

/** A right body with one or two of its values replaced, a field added, or its text cut or stirred. */
function spoilt(body: object): fc.Arbitrary<string> {
  const text = JSON.stringify(body);
  const places = [...text.matchAll(/(?<=:)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\{[^{}]*\}|\[[^[\]]*\])/g)];
  const replaced = fc.tuple(fc.constantFrom(...places), value).map(([place, by]) => {
    return text.slice(0, place.index) + by + text.slice(place.index + place[0].length);
  });
  const added = fc.tuple(fieldName, value).map(([name, by]) => `{"${name}":${by},${text.slice(1)}`);
  const cut = fc.nat(text.length).map((at) => text.slice(0, at));
  const stirred = fc
    .tuple(fc.nat(text.length), fc.string({ unit: 'binary', maxLength: 6 }))
    .map(([at, junk]) => text.slice(0, at) + junk + text.slice(at));
  return fc.oneof(
    { weight: 5, arbitrary: replaced },
    { weight: 2, arbitrary: added },
    cut,
    stirred,
    fc.constant(text),
  );
}

const bodies = fc.oneof(
  spoilt(createBody({ metadata: { a: 1 } })),
  spoilt(
    createBody({
      total_amount: 30,
      distribution: { type: 'custom', slots: [{ amount: 10 }, { amount: 20 }] },
    }),
  ),
  spoilt({ customer_email: 'ada@example.com', customer_name: 'Ada', slot_ids: [id] }),
  spoilt({ payment_intent_id: id, card }),
  spoilt({ url: 'https://shop.example.com', description: 'x', event_types: ['group_payment.paid'] }),
  spoilt({ overlap_seconds: 3600 }),
  spoilt({ event_type: 'group_payment.paid' }),
  spoilt({ since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }),
  value,
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(id, id.toUpperCase()) },
  fc.constantFrom(
    '0',
    '-1',
    '..',
    '%00',
    '%2e%2e',
    '%ff',
    '%',
    `urn:uuid:${id}`,
    '__proto__',
    'null',
    "'",
    '%F0%9F%8D%96',
    'a'.repeat(3_000),
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
);

const queryValue = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '101',
    '1e9',
    'NaN',
    '',
    '%00',
    '%',
    '%ff',
    '[]',
    'open',
    '2026-01-01T00:00:00Z',
    '2026-01-31',
    'Europe/Madrid',
    '9'.repeat(400),
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const queryName = fc.constantFrom(
  'limit',
  'offset',
  'state',
  'created_after',
  'created_before',
  'cursor',
  'delivered',
  'type',
  'group_payment_id',
  'cursor',
  '__proto__',
  'constructor',
  'limit[]',
  'expand',
  'expand[]',
  'customer_email',
  'last_payment_after',
  'last_payment_before',
  'status_class',
  'path',
  'key_id',
  'request_id',
  'from',
  'to',
  'time_zone',
  'x',
  '',
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { minLength: 1, maxLength: 4 })
  .map((pairs) => `?${pairs.map(([name, text]) => `${name}=${text}`).join('&')}`);

const target = fc.oneof(
  fc.constant(['POST', '/v1/group-payments'] as const),
  segment.map((s) => ['POST', `/v1/group-payments/${s}/pay`] as const),
  segment.map((s) => ['POST', `/v1/group-payments/${s}/confirm`] as const),
  segment.map((s) => ['GET', `/v1/group-payments/${s}`] as const),
  query.map((q) => ['GET', `/v1/group-payments/${id}${q}`] as const),
  query.map((q) => ['GET', `/v1/group-payments${q}`] as const),
  fc.constant(['POST', '/v1/webhooks'] as const),
  fc
    .tuple(fc.constantFrom('GET', 'PATCH', 'DELETE', 'PUT', 'TRACE'), segment)
    .map(([m, s]) => [m, `/v1/webhooks/${s}`] as const),
  fc
    .tuple(segment, fc.constantFrom('roll-secret', 'test', 'recover', `deliveries/${id}/resend`))
    .map(([s, verb]) => ['POST', `/v1/webhooks/${s}/${verb}`] as const),
  fc.tuple(segment, query).map(([s, q]) => ['GET', `/v1/webhooks/${s}/deliveries${q}`] as const),
  segment.map((s) => ['GET', `/v1/webhooks/${id}/recoveries/${s}`] as const),
  segment.map((s) => ['GET', `/v1/events/${s}`] as const),
  query.map((q) => ['GET', `/v1/events${q}`] as const),
  query.map((q) => ['GET', `/v1/request-logs${q}`] as const),
  segment.map((s) => ['GET', `/v1/request-logs/${s}`] as const),
  query.map((q) => ['GET', `/v1/customers${q}`] as const),
  segment.map((s) => ['GET', `/v1/customers/${s}`] as const),
  fc.tuple(segment, query).map(([s, q]) => ['GET', `/v1/customers/${s}/payments${q}`] as const),
  query.map((q) => ['GET', `/v1/balance${q}`] as const),
  query.map((q) => ['GET', `/v1/balance/statement${q}`] as const),
);

const idempotencyKey = fc.option(
  fc.oneof(
    // Often enough for two bodies that could both be acted on.
    { weight: 4, arbitrary: fc.constantFrom('same', '__proto__') },
    fc.constantFrom('', 'k'.repeat(255), 'k'.repeat(256), "'; drop table", '\u00ff\u00fe'),
    fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
      maxLength: 20,
    }),
  ),
  { nil: undefined },
);

const spoiltRequest: fc.Arbitrary<HostileRequest> = fc
  .tuple(target, bodies, idempotencyKey)
  .map(([[method, path], body, key]) => ({
    method,
    path,
    body: method === 'GET' || method === 'TRACE' ? undefined : body,
    idempotencyKey: key,
  }));

/** One that is right, and meets others under its key: among those that are put together by chance hardly any is. */
const rightRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  fc.constant({ method: 'GET', path: '/v1/group-payments', body: undefined, idempotencyKey: undefined }),
  fc
    .tuple(fc.constantFrom('one', 'another'), fc.constantFrom(undefined, 'same', '__proto__'))
    .map(([group_name, key]) => ({
      method: 'POST',
      path: '/v1/group-payments',
      body: JSON.stringify(createBody({ group_name })),
      idempotencyKey: key,
    })),
);

/** A request by an attacker with a valid key. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 30, arbitrary: spoiltRequest },
  { weight: 1, arbitrary: rightRequest },
);
