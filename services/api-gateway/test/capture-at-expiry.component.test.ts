import { describe, expect, it } from '@jest/globals';
import { validationError } from '@gp/errors';
import { createBody } from './support/edge.ts';
import { useEdge } from './support/shared-edge.ts';

const shared = useEdge();

const GROUPS = '/v1/group-payments';
const create = (capture_at_expiry?: unknown) => shared.edge.post(GROUPS, createBody({ capture_at_expiry }));
const idOf = (body: Readonly<Record<string, unknown>>): string =>
  (body['group_payment'] as { id: string }).id;

describe('a group payment that is captured at its expiry', () => {
  it.each([
    [{ minimum_amount: 0.7 }, { amount_minor: '70' }],
    [{ minimum_slots: 2 }, { slots: 2 }],
  ])('a creation with %j is answered with it, and reads and lists show it (Q90)', async (minimum, sent) => {
    const { status, body } = await create(minimum);
    expect(status).toBe(201);
    expect(shared.edge.fakes.received.create[0]?.capture_minimum).toEqual(sent);
    const shown = { group_payment: { capture_at_expiry: minimum } };
    expect(body).toMatchObject(shown);
    expect((await shared.edge.get(`${GROUPS}/${idOf(body)}`)).body).toMatchObject(shown);
    const { group_payments } = (await shared.edge.get(GROUPS)).body as { group_payments: object[] };
    expect(group_payments[0]).toMatchObject({ capture_at_expiry: minimum });
  });

  it.each([[undefined], [null]])('a creation with %j releases everything, as before (Q90)', async (none) => {
    const { body } = await create(none);
    expect(body['group_payment']).not.toHaveProperty('capture_at_expiry');
    expect(shared.edge.fakes.received.create[0]).not.toHaveProperty('capture_minimum');
  });

  it.each<[string, unknown, string]>([
    ['nothing in it', {}, 'capture_at_expiry'],
    ['both minima', { minimum_amount: 1, minimum_slots: 1 }, 'capture_at_expiry'],
    ['an amount of nothing', { minimum_amount: 0 }, 'capture_at_expiry.minimum_amount'],
    ['an amount with three decimals', { minimum_amount: 1.001 }, 'capture_at_expiry.minimum_amount'],
    ['a negative amount', { minimum_amount: -1 }, 'capture_at_expiry.minimum_amount'],
    ['an amount as text', { minimum_amount: '60' }, 'capture_at_expiry.minimum_amount'],
    ['more slots than a group may have', { minimum_slots: 31 }, 'capture_at_expiry.minimum_slots'],
    ['a negative number of slots', { minimum_slots: -1 }, 'capture_at_expiry.minimum_slots'],
    ['slots as text', { minimum_slots: '2' }, 'capture_at_expiry.minimum_slots'],
    ['no slot', { minimum_slots: 0 }, 'capture_at_expiry.minimum_slots'],
    ['half a slot', { minimum_slots: 1.5 }, 'capture_at_expiry.minimum_slots'],
    ['another field', { release: true }, 'capture_at_expiry.release'],
    ['a text', 'all', 'capture_at_expiry'],
  ])('a minimum with %s is refused, and the field is named (Q90)', async (_what, minimum, param) => {
    const { status, body } = await create(minimum);
    expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', param]);
    expect(shared.edge.fakes.received.create).toEqual([]);
  });

  it.each([
    ['JPY', 0.5, 300],
    ['JPY', 10.5, 300],
    ['KWD', 1.0001, 3],
  ])(
    'a minimum of %s %d, with more decimals than the currency has, is refused, and the field is named (Q90)',
    async (currency, minimum_amount, total_amount) => {
      const wanted = createBody({ currency, total_amount, capture_at_expiry: { minimum_amount } });
      const { status, body } = await shared.edge.post(GROUPS, wanted);
      const param = 'capture_at_expiry.minimum_amount';
      expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', param]);
      expect(shared.edge.fakes.received.create).toEqual([]);
    },
  );

  it('a minimum that the ledger refuses, such as one above the total, is answered with the field that it names (Q90)', async () => {
    const param = 'capture_at_expiry.minimum_amount';
    shared.edge.fakes.answers.create = () =>
      Promise.reject(validationError(param, 'must be at most total_amount'));
    const { status, body } = await create({ minimum_amount: 31.51 });
    expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', param]);
    expect(shared.edge.fakes.received.create[0]?.capture_minimum).toEqual({ amount_minor: '3151' });
  });

  it('a ledger of an older release, which drops the minimum, leads to a 503 and never to a 201 (Q90)', async () => {
    const { create: usual } = shared.edge.fakes.answers;
    shared.edge.fakes.answers.create = async (command) => {
      const { group, ...others } = await usual(command);
      const { capture_minimum: _dropped, ...old } = group;
      return { ...others, group: old };
    };
    const { status, body } = await create({ minimum_slots: 2 });
    expect([status, body['code']]).toEqual([503, 'service_unavailable']);
    expect(body).not.toHaveProperty('group_payment');
    expect((await create()).status).toBe(201);
  });

  it('a session token reads the minimum, which concerns whoever pays (Q90)', async () => {
    const { body } = await create({ minimum_slots: 2 });
    const shown = await shared.edge.get(`${GROUPS}/${idOf(body)}`, { key: await shared.token(idOf(body)) });
    expect(shown.body).toMatchObject({ group_payment: { capture_at_expiry: { minimum_slots: 2 } } });
  });
});
