import { expect, it } from '@jest/globals';
import { validationError } from '@gp/errors';
import { createBody } from './support/edge.ts';
import { useEdge } from './support/shared-edge.ts';

const shared = useEdge();

const GROUPS = '/v1/group-payments';
const GROUP = '0198c3f0-0000-7000-8000-00000000000a';
const PAY = `${GROUPS}/${GROUP}/pay`;
const payer = { customer_email: 'ana@example.com', customer_name: 'Ana' };

it('a merchant’s server, and a browser with a session token, say that a payer shows the name (Q97)', async () => {
  const key = await shared.token(GROUP);
  for (const as of [{}, { key }])
    expect((await shared.edge.post(PAY, { ...payer, show_name: true }, as)).status).toBe(201);
  expect(shared.edge.fakes.received.pay).toMatchObject([
    { customer_name: 'Ana', show_name: true },
    { customer_name: 'Ana', show_name: true },
  ]);
});

it.each([undefined, false])(
  'a payment with show_name %p is asked for and answered as before (Q97)',
  async (show_name) => {
    const plain = await shared.edge.post(PAY, payer);
    const { status, body } = await shared.edge.post(PAY, { ...payer, show_name });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(Object.keys(plain.body));
    for (const pay of shared.edge.fakes.received.pay) expect(pay).not.toHaveProperty('show_name');
  },
);

it.each(['true', 1, null, {}])('show_name %j is refused, and the field is named (Q97)', async (show_name) => {
  const { status, body } = await shared.edge.post(PAY, { ...payer, show_name });
  expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', 'show_name']);
  expect(shared.edge.fakes.received.pay).toEqual([]);
});

it.each([
  ['a right-to-left override', 'Ana\u202Ecod'],
  ['an isolate', 'Ana\u2067'],
  ['a line end', 'Ana\nPaid by the house'],
  ['a zero-width space', 'A\u200Bna'],
])('a name with %s is shown to nobody: it is refused (X4, Q97)', async (_what, customer_name) => {
  const { status, body } = await shared.edge.post(PAY, { ...payer, customer_name, show_name: true });
  expect([status, body['param']]).toEqual([400, 'customer_name']);
  expect(shared.edge.fakes.received.pay).toEqual([]);
});

it("the ledger's refusal of consent without a name reaches the client with the field (Q97)", async () => {
  shared.edge.fakes.answers.pay = () =>
    Promise.reject(validationError('customer_name', 'is required with show_name'));
  const { customer_email } = payer;
  const { status, body } = await shared.edge.post(PAY, { customer_email, show_name: true });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: {
      code: 'validation_error',
      param: 'customer_name',
      message: 'Validation error: customer_name: is required with show_name',
    },
  });
});

it('an Idempotency-Key that comes again with another consent is refused (Q12, Q97)', async () => {
  const once = { idempotencyKey: 'name-1' };
  expect((await shared.edge.post(PAY, { ...payer, show_name: true }, once)).status).toBe(201);
  expect((await shared.edge.post(PAY, { ...payer, show_name: true }, once)).status).toBe(201);
  expect((await shared.edge.post(PAY, payer, once)).status).toBe(422);
  expect(shared.edge.fakes.received.pay).toHaveLength(1);
});

it('lists of payments have the name of a payer who shows it, and group payments never have one (Q97, Q98)', async () => {
  const { body: made } = await shared.edge.post(GROUPS, createBody());
  const { id } = made['group_payment'] as { id: string };
  shared.edge.fakes.slotsOf(id)[0]!.shown_name = 'Ana';
  const key = await shared.token(id);
  for (const as of [{}, { key }])
    expect(JSON.stringify((await shared.edge.get(`${GROUPS}/${id}`, as)).body)).not.toContain('Ana');
  const list = shared.edge.fakes.answers.listed;
  shared.edge.fakes.answers.listed = (request) => {
    const { payments, next } = list(request);
    return { payments: payments.map((each, at) => (at === 0 ? { ...each, shown_name: 'Ana' } : each)), next };
  };
  const { body } = await shared.edge.get(`${GROUPS}/${id}/payments`);
  const { payments } = body as { payments: { shown_name?: string }[] };
  expect(payments.map(({ shown_name }) => shown_name)).toEqual(['Ana', undefined]);
});
