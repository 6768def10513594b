import { describe, expect, it } from '@jest/globals';
import { validationError } from '@gp/errors';
import { createBody } from './support/edge.ts';
import { useEdge } from './support/shared-edge.ts';

const shared = useEdge();

const GROUPS = '/v1/group-payments';
const PAY = `${GROUPS}/0198c3f0-0000-7000-8000-00000000000a/pay`;
const create = (tips?: unknown, o: object = {}) => shared.edge.post(GROUPS, createBody({ tips, ...o }));
const idOf = (body: Readonly<Record<string, unknown>>): string =>
  (body['group_payment'] as { id: string }).id;

describe('a group payment that takes tips', () => {
  it('a creation with the most of a tip is answered with it, and reads, lists and payers see it (Q91)', async () => {
    const { status, body } = await create({ max_amount: 12.5 });
    expect(status).toBe(201);
    expect(shared.edge.fakes.received.create[0]?.max_tip_minor).toBe('1250');
    const shown = { group_payment: { tips: { max_amount: 12.5 } } };
    expect(body).toMatchObject(shown);
    expect((await shared.edge.get(`${GROUPS}/${idOf(body)}`)).body).toMatchObject(shown);
    const { group_payments } = (await shared.edge.get(GROUPS)).body as { group_payments: object[] };
    expect(group_payments[0]).toMatchObject({ tips: { max_amount: 12.5 } });
    const key = await shared.token(idOf(body));
    expect((await shared.edge.get(`${GROUPS}/${idOf(body)}`, { key })).body).toMatchObject(shown);
  });

  it('the most of a tip has the decimals of its currency (G2, Q91)', async () => {
    const { text } = await create({ max_amount: 20 });
    expect(text).toContain('"tips":{"max_amount":20.00}');
  });

  it.each([[undefined], [null]])('a creation with %j takes no tips, as before (Q91)', async (none) => {
    const { body } = await create(none);
    expect(body['group_payment']).not.toHaveProperty('tips');
    expect(shared.edge.fakes.received.create[0]).not.toHaveProperty('max_tip_minor');
  });

  it.each<[string, unknown, string]>([
    ['nothing in it', {}, 'tips.max_amount'],
    ['an amount of nothing', { max_amount: 0 }, 'tips.max_amount'],
    ['an amount with three decimals', { max_amount: 1.001 }, 'tips.max_amount'],
    ['more than a gateway takes', { max_amount: 1_000_000 }, 'tips.max_amount'],
    ['a text for the amount', { max_amount: '5' }, 'tips.max_amount'],
    ['another field', { max_amount: 5, percent: 10 }, 'tips.percent'],
    ['a boolean', true, 'tips'],
  ])('tips with %s are refused, and the field is named (Q91)', async (_what, tips, param) => {
    const { status, body } = await create(tips);
    expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', param]);
    expect(shared.edge.fakes.received.create).toEqual([]);
  });
});

describe('a payment with a tip', () => {
  const payer = { customer_email: 'ada@example.com' };
  const started = {
    psp_code: 'gateway_b' as const,
    payment_intent_id: '0198c3f0-0000-7000-8000-00000000000c',
    currency: 'EUR',
    slot_ids: ['0198c3f0-0000-7000-8000-00000000000b'],
    client: { card_field_team_id: 'team_1', card_field_app_id: 'app_1' },
  };

  it('a tip is passed on as it was written, and the answer has it beside the amount that it is a part of (Q91)', async () => {
    shared.edge.fakes.answers.pay = () =>
      Promise.resolve({ ...started, amount_minor: '1300', tip_minor: '250' });
    const { status, text } = await shared.edge.post(PAY, `{"customer_email":"ada@example.com","tip":2.50}`);
    expect(status).toBe(201);
    expect(shared.edge.fakes.received.pay[0]).toMatchObject({ tip: '2.50' });
    expect(text).toContain('"amount":13.00,"tip":2.50,');
  });

  it('a payment without a tip is asked for and answered as before (Q91)', async () => {
    const { body } = await shared.edge.post(PAY, payer);
    expect(shared.edge.fakes.received.pay[0]).not.toHaveProperty('tip');
    expect(body).not.toHaveProperty('tip');
  });

  it.each([0, -1, 0.001, '5', null, true])(
    'a tip of %j is refused and no slot is taken (Q91)',
    async (tip) => {
      const { status, body } = await shared.edge.post(PAY, { ...payer, tip });
      expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', 'tip']);
      expect(shared.edge.fakes.received.pay).toEqual([]);
    },
  );

  it('a tip that is written with more digits than any amount needs is refused (Q91)', async () => {
    const tip = `1.${'0'.repeat(100)}`;
    const { status, body } = await shared.edge.post(PAY, `{"customer_email":"ada@example.com","tip":${tip}}`);
    expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', 'tip']);
    expect(shared.edge.fakes.received.pay).toEqual([]);
  });

  it("the ledger's reason why a tip is refused reaches the client (Q91)", async () => {
    shared.edge.fakes.answers.pay = () =>
      Promise.reject(validationError('tip', 'the group payment takes no tips'));
    const { status, body } = await shared.edge.post(PAY, { ...payer, tip: 1 });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'validation_error',
        param: 'tip',
        message: 'Validation error: tip: the group payment takes no tips',
      },
    });
  });

  it('an Idempotency-Key that comes again with another tip is refused (Q12, Q92)', async () => {
    const once = { idempotencyKey: 'tip-1' };
    expect((await shared.edge.post(PAY, { ...payer, tip: 1 }, once)).status).toBe(201);
    expect((await shared.edge.post(PAY, { ...payer, tip: 1 }, once)).status).toBe(201);
    expect((await shared.edge.post(PAY, { ...payer, tip: 2 }, once)).status).toBe(422);
    expect(shared.edge.fakes.received.pay).toHaveLength(1);
  });

  it('payments are listed with their tip, and those without one as before (Q91)', async () => {
    const { body: made } = await create({ max_amount: 5 });
    const listed = shared.edge.fakes.answers.listed;
    shared.edge.fakes.answers.listed = (request) => {
      const { payments, next } = listed(request);
      return { payments: payments.map((each, at) => (at === 0 ? { ...each, tip_minor: '50' } : each)), next };
    };
    const { body } = await shared.edge.get(`${GROUPS}/${idOf(made)}/payments`);
    const { payments } = body as { payments: { tip?: number }[] };
    expect(payments.map(({ tip }) => tip)).toEqual([0.5, undefined]);
  });
});
