import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { plainLength } from '../src/domain/metadata.ts';
import { checkoutUrl, createBody, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const create = (o: Record<string, unknown> = {}) => edge.post('/v1/group-payments', createBody(o));
const custom = (...amounts: unknown[]) => ({ type: 'custom', slots: amounts.map((amount) => ({ amount })) });
const listLabels = ({ body }: { readonly body: Record<string, unknown> }) =>
  (body['payment_slots'] as { label?: string }[]).map(({ label }) => label);
/** A body whose numbers are sent exactly as written. */
const raw = (total: string, distribution: string, currency = 'EUR') =>
  edge.post(
    '/v1/group-payments',
    `{"group_name":"x","currency":"${currency}","expires_at":"${new Date(Date.now() + 60_000).toISOString()}",` +
      `"total_amount":${total},"distribution":${distribution}}`,
  );

describe('201 created', () => {
  it('a create returns the documented fields, amounts with the decimals of the currency', async () => {
    const reply = await create({ metadata: { table: 7, tags: ['a'] } });
    expect(reply.status).toBe(201);
    const { group_payment, payment_slots, checkout_url } = reply.body as {
      group_payment: Record<string, unknown>;
      payment_slots: Record<string, unknown>[];
      checkout_url: string;
    };
    expect(Object.keys(reply.body).sort()).toEqual(['checkout_url', 'group_payment', 'payment_slots']);
    expect(group_payment).toMatchObject({
      merchant_id: 'm1',
      group_name: 'Dinner at Mario’s',
      total_amount: 31.5,
      currency: 'EUR',
      state: 'open',
      metadata: { table: 7, tags: ['a'] },
    });
    expect(payment_slots).toHaveLength(3);
    expect(payment_slots[0]).toMatchObject({
      merchant_id: 'm1',
      group_payment_id: group_payment['id'],
      sequence_no: 1,
      assigned_customer_id: null,
      amount: 10.5,
      currency: 'EUR',
      state: 'unassigned',
      metadata: {},
    });
    expect(reply.headers['location']).toBe(`/v1/group-payments/${String(group_payment['id'])}`);
    expect(reply.text).toContain('"total_amount":31.50');
    expect(checkout_url).toMatch(new RegExp(`^${checkoutUrl}/c/pt_[0-9a-f]{32}$`));
    expect(group_payment['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('a create keeps the merchant’s own reference, and shows none where none was given (Q37)', async () => {
    const named = await edge.post('/v1/group-payments', createBody({ client_reference: 'order-4711' }));
    expect(named).toMatchObject({
      status: 201,
      body: { group_payment: { client_reference: 'order-4711' } },
    });
    expect(edge.fakes.received.create[0]).toMatchObject({ client_reference: 'order-4711' });
    const unnamed = await edge.post('/v1/group-payments', createBody());
    expect(unnamed.body['group_payment']).toMatchObject({ client_reference: null });
  });

  it.each(['', ' ', 'x'.repeat(256), 7, null])(
    'a create with the reference %j is a 400',
    async (client_reference) => {
      const reply = await edge.post('/v1/group-payments', createBody({ client_reference }));
      expect(reply).toMatchObject({ status: 400, body: { param: 'client_reference' } });
    },
  );

  it('a create splits exactly: doubles never touch an amount', async () => {
    const amounts = '[{"amount":0.1},{"amount":0.2},{"amount":19.99}]';
    const reply = await raw('20.29', `{"type":"custom","slots":${amounts}}`);
    expect(reply.status).toBe(201);
    expect(edge.fakes.received.create[0]).toMatchObject({
      total_minor: '2029',
      distribution: { slots: [{ amount_minor: '10' }, { amount_minor: '20' }, { amount_minor: '1999' }] },
    });
  });

  it.each([
    ['1e2', 'EUR', '10000'],
    ['100.00', 'EUR', '10000'],
    ['100', 'JPY', '100'],
    ['100.000', 'JPY', '100'],
    ['10.000', 'KWD', '10000'],
    ['999999.99', 'EUR', '99999999'],
  ])('a create reads %s %s as %s minor units', async (text, currency, minor) => {
    expect((await raw(text, '{"type":"equally","number_of_slots":1}', currency)).status).toBe(201);
    expect(edge.fakes.received.create[0]?.total_minor).toBe(minor);
  });

  it('an amount is shown with exactly its digits, however large', async () => {
    const reply = await raw('29999999.67', '{"type":"equally","number_of_slots":30}');
    expect(reply.text).toContain('"total_amount":29999999.67');
  });

  it('a create carries metadata of each slot, and of keys that only look special', async () => {
    const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as object;
    const slot_metadata = [{ metadata: { seat: 1 } }, { metadata }, { metadata: {} }];
    const reply = await create({
      metadata,
      distribution: { type: 'equally', number_of_slots: 3, slot_metadata },
    });
    expect(reply.text).toContain('"metadata":{"__proto__":{"a":1},"constructor":"x"}');
    expect((reply.body['payment_slots'] as { metadata: object }[])[0]?.metadata).toEqual({ seat: 1 });
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('a create carries the labels of its slots, trimmed, and shows none where none was given (Q71)', async () => {
    const slots = [
      { amount: 20, label: ' Starter and wine ' },
      { amount: 11.5, metadata: { seat: 1 } },
    ];
    const priced = await create({ distribution: { type: 'custom', slots } });
    expect(listLabels(priced)).toEqual(['Starter and wine', undefined]);
    const slot_labels = ['🍖'.repeat(60), null, 'نرگس‌سادات'];
    const shared = await create({ distribution: { type: 'equally', number_of_slots: 3, slot_labels } });
    expect(listLabels(shared)).toEqual(['🍖'.repeat(60), undefined, 'نرگس‌سادات']);
    expect((await create()).text).not.toContain('label');
    expect(edge.fakes.received.create.map(({ distribution }) => distribution)).toEqual([
      {
        type: 'custom',
        slots: [
          { amount_minor: '2000', metadata: {}, label: 'Starter and wine' },
          { amount_minor: '1150', metadata: { seat: 1 } },
        ],
      },
      { type: 'equally', number_of_slots: 3, slot_labels },
      { type: 'equally', number_of_slots: 3 },
    ]);
  });

  it('an expiry with an offset is accepted; the name may be in any script', async () => {
    const local = new Date(Date.now() + 3_600_000 + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    const reply = await create({ expires_at: local, group_name: '焼肉パーティー🍖'.repeat(3) });
    expect(reply.status).toBe(201);
    const sent = Date.parse(edge.fakes.received.create[0]?.expires_at ?? '');
    expect(Math.abs(sent - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it('requests that arrive together share messages and keep their own responses', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => create({ group_name: `group ${i}` })),
    );
    expect(replies.map((r) => (r.body['group_payment'] as { group_name: string }).group_name)).toEqual(
      replies.map((_, i) => `group ${i}`),
    );
  });

  it('a create without a key records nothing', async () => {
    await create();
    expect(await edge.rows('select 1 from idempotency_keys')).toEqual([]);
  });
});

describe('400 validation', () => {
  const metadata51 = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]));
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['a missing name', { group_name: undefined }, 'group_name', 'is required'],
    ['an empty name', { group_name: '' }, 'group_name', 'must have at least 1 character'],
    [
      'a name of 33 characters',
      { group_name: '🍖'.repeat(33) },
      'group_name',
      'must have at most 32 characters',
    ],
    ['a name that is no text', { group_name: 5 }, 'group_name', 'must be a string'],
    ...['\u202Eknab ruoY', 'a\u200Bb', '\uFEFFa', 'a\n\rb', ' \u00A0'].map(
      (group_name): [string, Record<string, unknown>, string, string] => [
        `the name ${JSON.stringify(group_name)} (X4)`,
        { group_name },
        'group_name',
        'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
      ],
    ),
    ['a total of zero', { total_amount: 0 }, 'total_amount', 'must be at least 0.01'],
    ['a negative total', { total_amount: -5 }, 'total_amount', 'must be at least 0.01'],
    ['a total as text', { total_amount: '31.50' }, 'total_amount', 'must be a number'],
    ['three decimals of EUR', { total_amount: 31.505 }, 'total_amount', 'at most 2 decimals for EUR'],
    ['half a yen', { total_amount: 10.5, currency: 'JPY' }, 'total_amount', 'at most 0 decimals for JPY'],
    [
      'less than a cent each',
      { total_amount: 0.02 },
      'total_amount',
      'must be at least 0.03 EUR for 3 slots',
    ],
    [
      'less than 0.01 KWD each',
      { total_amount: 0.029, currency: 'KWD' },
      'total_amount',
      'must be at least 0.030 KWD for 3 slots',
    ],
    [
      'a share no gateway takes',
      { total_amount: 3_000_000 },
      'total_amount',
      'must be at most 2999999.97 EUR for 3 slots',
    ],
    ['a currency in lower case', { currency: 'eur' }, 'currency', 'must be three upper-case letters'],
    [
      'a currency nobody uses any more',
      { currency: 'DEM' },
      'currency',
      'must be the ISO 4217 code of an active currency',
    ],
    ['gold', { currency: 'XAU' }, 'currency', 'must be the ISO 4217 code of an active currency'],
    [
      'an expiry without an offset',
      { expires_at: '2030-01-01T00:00:00' },
      'expires_at',
      'must be an ISO 8601 date and time with a time zone offset',
    ],
    [
      'an expiry on a day that does not exist',
      { expires_at: '2030-02-30T00:00:00Z' },
      'expires_at',
      'must be an ISO 8601 date and time with a time zone offset',
    ],
    [
      'an expiry in the past',
      { expires_at: '2020-01-01T00:00:00Z' },
      'expires_at',
      'expiry must be in the future',
    ],
    [
      'an expiry before there were years',
      { expires_at: '0000-01-01T00:00:00+23:59' },
      'expires_at',
      'expiry must be in the future',
    ],
    [
      'an expiry eight days ahead',
      { expires_at: new Date(Date.now() + 8 * 86_400_000).toISOString() },
      'expires_at',
      'expiry cannot be more than 7 days in the future',
    ],
    [
      'an expiry at the end of time',
      { expires_at: '9999-12-31T23:59:59-23:59' },
      'expires_at',
      'expiry cannot be more than 7 days in the future',
    ],
    ['an order id', { merchant_order_id: 'A1' }, 'merchant_order_id', 'is generated and cannot be supplied'],
    ['an unknown field', { tip: 5 }, 'tip', 'is not a known field'],
    ['51 pairs of metadata', { metadata: metadata51 }, 'metadata', 'must have at most 50 keys'],
    [
      '17 kB of metadata',
      { metadata: { note: 'x'.repeat(17_000) } },
      'metadata',
      'must have at most 16384 bytes as JSON, with all digits of its numbers',
    ],
    [
      'metadata whose few numbers have 303 characters each',
      { metadata: { sizes: new Array(60).fill(-1e-300) } },
      'metadata',
      'must have at most 16384 bytes as JSON, with all digits of its numbers',
    ],
    ['metadata that is a list', { metadata: [1] }, 'metadata', 'must be an object'],
    ['no distribution', { distribution: undefined }, 'distribution', 'is required'],
    ['a distribution without a type', { distribution: {} }, 'distribution.type', 'is required'],
    [
      'a distribution of an unknown type',
      { distribution: { type: 'fair' } },
      'distribution.type',
      'must be one of equally, custom',
    ],
    [
      'no slots',
      { distribution: { type: 'equally', number_of_slots: 0 } },
      'distribution.number_of_slots',
      'must be at least 1',
    ],
    [
      '31 slots',
      { distribution: { type: 'equally', number_of_slots: 31 } },
      'distribution.number_of_slots',
      'must be at most 30',
    ],
    [
      'half a slot',
      { distribution: { type: 'equally', number_of_slots: 2.5 } },
      'distribution.number_of_slots',
      'must be an integer',
    ],
    [
      'slot metadata for other slots',
      { distribution: { type: 'equally', number_of_slots: 3, slot_metadata: [{ metadata: {} }] } },
      'distribution.slot_metadata',
      'must have 3 items, one per slot',
    ],
    ...(
      [
        [null, 'must be a string'],
        [7, 'must be a string'],
        ['', 'must have at least 1 character'],
        ['🍖'.repeat(61), 'must have at most 60 characters'],
        [
          ' \u00A0',
          'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
        ],
        [
          'neB s\u202E',
          'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
        ],
        [
          'Ben\u0007',
          'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
        ],
      ] as const
    ).map(([label, reason]): [string, Record<string, unknown>, string, string] => [
      `the label ${JSON.stringify(label)} of a slot (Q71)`,
      { distribution: { type: 'custom', slots: [{ amount: 30 }, { amount: 1.5, label }] } },
      'distribution.slots[1].label',
      reason,
    ]),
    ...(
      [
        [7, 'must be a string or null'],
        ['', 'must have at least 1 character'],
        ['x'.repeat(61), 'must have at most 60 characters'],
        [
          'a\u200Bb',
          'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
        ],
      ] as const
    ).map(([label, reason]): [string, Record<string, unknown>, string, string] => [
      `the label ${JSON.stringify(label)} of an equal slot (Q71)`,
      { distribution: { type: 'equally', number_of_slots: 3, slot_labels: [null, null, label] } },
      'distribution.slot_labels[2]',
      reason,
    ]),
    ...[['Ben'], ['Ben', null, null, 'Ana'], []].map(
      (slot_labels): [string, Record<string, unknown>, string, string] => [
        `${slot_labels.length} labels for 3 slots (Q71)`,
        { distribution: { type: 'equally', number_of_slots: 3, slot_labels } },
        'distribution.slot_labels',
        'must have 3 items, one per slot',
      ],
    ),
    [
      'labels of equal slots for custom ones (Q71)',
      { distribution: { ...custom(31.5), slot_labels: ['Ben'] } },
      'distribution.slot_labels',
      'is not a known field',
    ],
    [
      'an empty list of slots',
      { distribution: { type: 'custom', slots: [] } },
      'distribution.slots',
      'must have at least 1 item',
    ],
    [
      '31 custom slots',
      { total_amount: 31, distribution: custom(...Array<number>(31).fill(1)) },
      'distribution.slots',
      'must have at most 30 items',
    ],
    [
      'a slot of nothing',
      { distribution: custom(31.5, 0) },
      'distribution.slots[1].amount',
      'must be at least 0.01',
    ],
    [
      'a slot with three decimals',
      { distribution: custom(10, 21.499, 0.001) },
      'distribution.slots[2].amount',
      'must be at least 0.01',
    ],
    [
      'a slot no gateway takes',
      { total_amount: 1_000_000, distribution: custom(1_000_000) },
      'distribution.slots[0].amount',
      'must be at most 999999.99 EUR',
    ],
    [
      'slots that do not sum up',
      { distribution: custom(10, 21.49) },
      'distribution.slots',
      'sum of slot amounts must equal total amount',
    ],
    [
      'an unknown field of a slot',
      { distribution: { type: 'custom', slots: [{ amount: 31.5, name: 'Bo' }] } },
      'distribution.slots[0].name',
      'is not a known field',
    ],
  ];

  it.each(cases)('an invalid create is a 400: %s', async (_what, fields, param, reason) => {
    const reply = await create(fields);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      error: 'Bad Request',
      message: `Validation error: ${param}: ${reason}`,
      version: '1.0.0',
      code: 'validation_error',
      param,
    });
    expect(reply.body['details']).toContainEqual({ param, reason });
  });

  it('a wrong sum of slots is a 400 that names both sums', async () => {
    const { body } = await create({ distribution: custom(10, 21.49) });
    expect(body['hint']).toBe('the slots sum to 31.49 EUR, total_amount is 31.50 EUR');
    expect(body['details']).toEqual([
      { param: 'distribution.slots', reason: 'sum of slot amounts must equal total amount' },
    ]);
  });

  it.each(['1e400', '-1e400'])('an amount of %s is a 400 that calls it too large', async (amount) => {
    const total = await raw(amount, '{"type":"equally","number_of_slots":1}');
    expect(total.body['details']).toEqual([{ param: 'total_amount', reason: 'is too large a number' }]);
    const slot = await raw('31.5', `{"type":"custom","slots":[{"amount":${amount}}]}`);
    expect(slot.body['details']).toEqual([
      { param: 'distribution.slots[0].amount', reason: 'is too large a number' },
    ]);
  });

  it('a 400 lists every fault at once', async () => {
    const reply = await create({ group_name: '', total_amount: -1, currency: 'x', tip: 1 });
    const params = (reply.body['details'] as { param: string }[]).map(({ param }) => param);
    expect(params.sort()).toEqual(['currency', 'group_name', 'tip', 'total_amount']);
  });

  it('two totals with the same double are distinguished', async () => {
    const reply = await raw('0.30000000000000001', '{"type":"equally","number_of_slots":1}');
    expect(reply.body['message']).toBe('Validation error: total_amount: at most 2 decimals for EUR');
  });

  const slotsWith = (metadata: object) => ({
    metadata: {},
    distribution: { type: 'custom', slots: [{ amount: 31.5, metadata }] },
  });
  it.each([
    ['metadata.big', { metadata: { big: 0 } }],
    [
      'distribution.slot_metadata[0].metadata.big',
      { distribution: { type: 'equally', number_of_slots: 1, slot_metadata: [{ metadata: { big: 0 } }] } },
    ],
    ['distribution.slots[0].metadata.big', slotsWith({ big: 0 })],
  ])('a number that %s could not keep is a 400, and says that text keeps it', async (param, o) => {
    for (const big of ['9007199254740993', '-9007199254740993', '1e30', '1e999']) {
      const body = JSON.stringify(createBody(o)).replace('"big":0', `"big":${big}`);
      const reason = 'must be between -9007199254740991 and 9007199254740991: send a larger number as text';
      expect((await edge.post('/v1/group-payments', body)).body).toMatchObject({
        message: `Validation error: ${param}: ${reason}`,
        param,
      });
    }
  });

  it.each([
    ['no body', undefined, 'Validation error: body: is required'],
    ['a list', [], 'Validation error: body: must be an object'],
    ['null', 'null', 'Validation error: body: must be an object'],
    ['broken JSON', '{"group_name":', 'the body is not valid JSON'],
    [
      'a name twice (X3)',
      '{"group_name":"a","group_name":"b"}',
      'the body has an object with the same name twice',
    ],
    [
      'half a character',
      '{"group_name":"\\ud800"}',
      'the body has text with U+0000 or half a surrogate pair',
    ],
    ['NUL', '{"group_name":"a\\u0000b"}', 'the body has text with U+0000 or half a surrogate pair'],
    ['deep nesting', `${'['.repeat(201)}${']'.repeat(201)}`, 'the body has more than 200 levels of nesting'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'the body is not valid JSON'],
  ])('an invalid create is a 400: %s', async (_what, body, message) => {
    const reply = await edge.post('/v1/group-payments', body);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(message);
  });

  it('an invalid create never reaches the ledger', async () => {
    await create({ total_amount: -1 });
    expect(edge.fakes.received.create).toEqual([]);
  });
});

describe('409 conflict', () => {
  it('a duplicate order number is a 409', async () => {
    edge.fakes.answers.create = () => Promise.reject(new AppError('duplicate_merchant_order_id'));
    const reply = await create();
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({
      error: 'Conflict',
      message: 'a group payment with this merchant_order_id already exists',
      code: 'duplicate_merchant_order_id',
    });
  });
});

describe('500 internal error', () => {
  it('an internal error discloses nothing of its cause', async () => {
    edge.fakes.answers.create = () => Promise.reject(new Error('relation "groups" does not exist'));
    const reply = await create();
    expect(reply.status).toBe(500);
    expect(reply.body).toMatchObject({ error: 'Internal Server Error', code: 'internal_error' });
    expect(reply.text).not.toContain('groups');
  });
});

it('a number of metadata counts with the length that Postgres keeps', async () => {
  const values = [9007199254740991, -9007199254740991, 5e-324, -1e-300, 1e-6, 1e-7, 12.5e-8, -0, 0.1];
  const [kept] = await edge.rows<{ lengths: number[] }>(
    `select array_agg(length(item::text) order by place) as lengths
     from jsonb_array_elements($1::jsonb) with ordinality as n (item, place)`,
    [JSON.stringify(values)],
  );
  expect(values.map(plainLength)).toEqual(kept?.lengths);
});
