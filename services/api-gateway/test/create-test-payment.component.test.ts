import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PAYER_CARDS, type IntentState, type PaymentView } from '@gp/contracts';
import { AppError, type ErrorCode } from '@gp/errors';
import { card, checkoutUrl, openEdge, type Edge } from './support/edge.ts';
import { fakePayments } from './support/fake-payments.ts';

let edge: Edge;
let group: string;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(async () => {
  edge.fakes.reset();
  group = await edge.newGroupId();
  arrange('preauthorised');
});

const slot = '0198c3f0-0000-7000-8000-00000000000b';
const intent = '0198c3f0-0000-7000-8000-00000000000c';
const client = { client_secret: 'pi_1_secret_2', gateway_a_account_id: 'acct_1', publishable_key: 'pk_1' };
const failure = { code: 'card_declined', message: 'the card has insufficient funds', retryable: true };
const payer = { customer_email: 'ada@example.com' };
const pay = (body: unknown = payer, o: { key?: string; idempotencyKey?: string } = {}, id = group) =>
  edge.post(`/v1/group-payments/${id}/test-payments`, body, o);

/** The payment starts at a gateway, and has this state once its payer was played. */
function arrange(state: IntentState, psp_code: 'gateway_a' | 'gateway_b' = 'gateway_a'): void {
  const { received, answers } = edge.fakes;
  const started = { payment_intent_id: intent, amount_minor: '1050', currency: 'EUR', slot_ids: [slot] };
  answers.pay = () => Promise.resolve({ ...started, psp_code, client });
  answers.intent = () => ({ state: received.played.length > 0 ? state : 'created' });
  answers.listed = (request) => ({ ...fakePayments(request), payments: [buildListed(state)], next: null });
}

function buildListed(state: IntentState): PaymentView {
  const [first] = fakePayments({ limit: 1 }).payments;
  if (!first) throw new Error('there is a payment');
  return { ...first, id: intent, state, captured_minor: '0', failure: state === 'failed' ? failure : null };
}

describe('201 with the payment', () => {
  it('a test payment is started like a pay, its payer is played, and the payment is answered as it is listed (Q73)', async () => {
    const body = { ...payer, customer_name: 'Ada', slot_ids: [slot.toUpperCase()], card: 'authenticated' };
    const reply = await pay(body, {}, group.toUpperCase());
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      payment_intent_id: intent,
      group_payment_id: group,
      state: 'preauthorised',
      amount: 10.5,
      currency: 'EUR',
      failure: null,
      is_test_mode: true,
    });
    const { received } = edge.fakes;
    expect(received.pay).toEqual([
      {
        command_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        merchant_id: 'm1',
        mode: 'test',
        principal: 'secret',
        group_id: group,
        customer_email: 'ada@example.com',
        customer_name: 'Ada',
        slot_ids: [slot],
      },
    ]);
    expect(received.played).toEqual([
      { psp_code: 'gateway_a', client, card: 'authenticated', payer_name: 'Ada' },
    ]);
    expect([received.begin, received.card, received.authenticated]).toEqual([[], [], []]);
  });

  it.each([[{}], [{ customer_name: '' }]])(
    'a payer without a name (%j) gets a name on the card, and the approved card where the request names none (Q73)',
    async (named) => {
      expect((await pay({ ...payer, ...named })).status).toBe(201);
      expect(edge.fakes.received.played).toMatchObject([{ card: 'approved', payer_name: 'Test Payer' }]);
    },
  );

  it.each(PAYER_CARDS)('the card %s reaches the sandbox by its name (Q73)', async (name) => {
    expect((await pay({ ...payer, card: name })).status).toBe(201);
    expect(edge.fakes.received.played).toMatchObject([{ card: name }]);
  });

  it('a decline is no error of the call: the payment is answered with its failure (Q73)', async () => {
    arrange('failed');
    const reply = await pay({ ...payer, card: 'insufficient_funds' });
    expect([reply.status, reply.body['state'], reply.body['failure']]).toEqual([201, 'failed', failure]);
  });

  it('the answer waits until the ledger has the result of the payment (Q73)', async () => {
    let asked = 0;
    edge.fakes.answers.intent = () => ({ state: ++asked > 3 ? 'preauthorised' : 'processing' });
    expect((await pay()).status).toBe(201);
    expect(asked).toBe(4);
  });

  it('a payment behind the first page of a group’s payments is found (Q73)', async () => {
    const first = fakePayments({ limit: 1 });
    edge.fakes.answers.listed = (request) =>
      request.after ? { payments: [buildListed('preauthorised')], next: null } : first;
    expect((await pay()).body['payment_intent_id']).toBe(intent);
  });

  it('a payment that is decided already is not played again (Q73)', async () => {
    edge.fakes.answers.intent = () => ({ state: 'preauthorised' });
    expect((await pay()).status).toBe(201);
    expect(edge.fakes.received.played).toEqual([]);
  });
});

describe('a gateway whose cards a server authorises with', () => {
  const page = 'https://sandbox.example/3ds/1';
  beforeEach(() => {
    arrange('preauthorised', 'gateway_b');
    edge.fakes.answers.play = () => Promise.resolve({ card });
  });

  it('the encrypted card of a played payer goes to the adapter by the confirm that payers use (Q73)', async () => {
    expect((await pay()).status).toBe(201);
    const { received } = edge.fakes;
    const begin = { merchant_id: 'm1', mode: 'test', principal: 'secret', payment_intent_id: intent };
    expect(received.begin).toEqual([{ ...begin, group_id: group, return_url: `${checkoutUrl}/` }]);
    expect(received.card).toMatchObject([{ card, ticket: { intent_id: intent } }]);
    expect(received.authenticated).toEqual([]);
  });

  it('the issuer’s page to which a confirm leads is answered by the sandbox (Q73)', async () => {
    edge.fakes.answers.card = () =>
      Promise.resolve({ status: 'requires_action', next_action: { type: 'redirect', url: page } });
    expect((await pay({ ...payer, card: 'authentication_failed' })).status).toBe(201);
    expect(edge.fakes.received.authenticated).toEqual([
      { psp_code: 'gateway_b', page, card: 'authentication_failed' },
    ]);
  });

  it.each(['card_declined', 'authentication_required', 'outcome_unknown'] as const)(
    'a confirm that ends with %s leaves the answer to the ledger (Q73)',
    async (code) => {
      arrange('failed', 'gateway_b');
      edge.fakes.answers.play = () => Promise.resolve({ card });
      edge.fakes.answers.card = () => Promise.reject(new AppError(code));
      const reply = await pay();
      expect([reply.status, reply.body['state']]).toEqual([201, 'failed']);
    },
  );

  it.each(['too_many_declines', 'slot_no_longer_available', 'gateway_unavailable'] as const)(
    'a confirm that is refused with %s is passed on (Q73)',
    async (code) => {
      edge.fakes.answers.card = () => Promise.reject(new AppError(code));
      expect((await pay()).body['code']).toBe(code);
    },
  );
});

describe('409 test_payments_unavailable', () => {
  const unavailable = 'test_payments_unavailable';

  it.each(['service_unavailable', 'deadline_exceeded'] as const)(
    'without a sandbox (%s) nothing is reserved, and the key stays free (Q73)',
    async (code) => {
      edge.fakes.answers.payers = () => Promise.reject(new AppError(code));
      const idempotencyKey = `without-${code}`;
      const refused = await pay(payer, { idempotencyKey });
      expect([refused.status, refused.body['code'], refused.headers['retry-after']]).toEqual([
        409,
        unavailable,
        '5',
      ]);
      expect(edge.fakes.received.pay).toEqual([]);
      edge.fakes.answers.payers = () => Promise.resolve({});
      expect((await pay(payer, { idempotencyKey })).status).toBe(201);
    },
  );

  it('a gateway account that does not belong to the sandbox is refused with that reason (Q73)', async () => {
    edge.fakes.answers.play = () => Promise.reject(new AppError('not_found'));
    const reply = await pay();
    expect([reply.status, reply.body['code']]).toEqual([409, unavailable]);
  });

  it('a sandbox that goes away after the start leaves the key free: the repetition plays the same payment (Q73)', async () => {
    edge.fakes.answers.play = () => Promise.reject(new AppError('service_unavailable'));
    const idempotencyKey = 'goes-away';
    expect((await pay(payer, { idempotencyKey })).body['code']).toBe(unavailable);
    edge.fakes.answers.play = () => Promise.resolve({});
    edge.fakes.answers.intent = () => ({
      state: edge.fakes.received.played.length > 1 ? 'preauthorised' : 'created',
    });
    const first = await pay(payer, { idempotencyKey });
    const again = await pay(payer, { idempotencyKey });
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
    const { received } = edge.fakes;
    expect(new Set(received.pay.map(({ command_id }) => command_id)).size).toBe(1);
    expect(received.played).toHaveLength(2);
  });
});

it('an installation where nothing plays payers answers 409, never a 5xx, and starts nothing (Q73)', async () => {
  const lonely = await openEdge();
  try {
    await lonely.fakes.endSandbox();
    const path = '/v1/group-payments/0198c3f0-0000-7000-8000-00000000000a/test-payments';
    const reply = await lonely.post(path, payer);
    expect([reply.status, reply.body['code']]).toEqual([409, 'test_payments_unavailable']);
    expect(lonely.fakes.received.pay).toEqual([]);
  } finally {
    await lonely.close();
  }
});

describe('a payment without a verdict', () => {
  it('a sandbox that does not answer in time may have paid: the payment is answered as it is (Q73)', async () => {
    edge.fakes.answers.play = () => Promise.reject(new AppError('deadline_exceeded'));
    arrangeSilence('processing');
    const reply = await pay();
    expect([reply.status, reply.body['state']]).toEqual([201, 'processing']);
  });

  function arrangeSilence(state: IntentState): void {
    edge.fakes.answers.intent = () => ({ state });
    edge.fakes.answers.listed = () => ({ payments: [buildListed(state)], next: null });
  }
});

describe('refusals', () => {
  it('a live key is refused before anything is asked: test payments are for test keys (Q73)', async () => {
    const { key } = await edge.addKey('live');
    const reply = await pay(payer, { key });
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({
      code: 'insufficient_scope',
      message: 'test payments are for test keys',
    });
    expect(edge.fakes.received.pay).toEqual([]);
  });

  it.each([
    [{}, 'customer_email', 'is required'],
    [{ ...payer, card: '4242424242424242' }, 'card', `must be one of ${PAYER_CARDS.join(', ')}`],
    [{ ...payer, card: null }, 'card', 'must be a string'],
    [{ ...payer, slot_ids: [] }, 'slot_ids', 'must have at least 1 item'],
    [{ ...payer, amount: 5 }, 'amount', 'is not a known field'],
  ])(
    'an invalid test payment is a 400 that never repeats the value: %j (Q73)',
    async (body, param, reason) => {
      const reply = await pay(body);
      expect([reply.status, reply.body['message']]).toEqual([400, `Validation error: ${param}: ${reason}`]);
      expect(reply.text).not.toContain('4242');
      expect(edge.fakes.received.pay).toEqual([]);
    },
  );

  it.each(['group_expired', 'no_payable_slots', 'no_active_gateway', 'gateway_error'] as const)(
    'an error of the start is passed on: %s (Q73)',
    async (code: ErrorCode) => {
      edge.fakes.answers.pay = () => Promise.reject(new AppError(code));
      expect((await pay()).body['code']).toBe(code);
      expect(edge.fakes.received.played).toEqual([]);
    },
  );
});
