import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '@gp/errors';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const group = '0198c3f0-0000-7000-8000-00000000000a';
const slot = '0198c3f0-0000-7000-8000-00000000000b';
const intent = '0198c3f0-0000-7000-8000-00000000000c';
const pay = (body: unknown = { customer_email: 'ada@example.com' }, key = edge.key, id = group) =>
  edge.post(`/v1/group-payments/${id}/pay`, body, { key });
const started = { payment_intent_id: intent, amount_minor: '1050', currency: 'EUR', slot_ids: [slot] };
const everything = {
  client_secret: 'pi_1_secret_2',
  gateway_a_account_id: 'acct_1',
  publishable_key: 'pk_test_1',
  card_field_team_id: 'team_1',
  card_field_app_id: 'app_1',
  gateway_c_form: { url: 'https://bank.example', body: { Ds_Signature: 's' } },
};
const common = ['amount', 'currency', 'is_test_mode', 'payment_intent_id', 'psp_code', 'slot_ids'];

describe('201 started', () => {
  it.each([
    ['gateway_a', ['client_secret', 'gateway_a_account_id', 'publishable_key']],
    ['gateway_b', ['card_field_app_id', 'card_field_team_id']],
    ['gateway_c', ['gateway_c_form']],
  ] as const)(
    'a pay for %s: the response has exactly the fields that its form needs, whatever else the adapter returned',
    async (psp_code, own) => {
      edge.fakes.answers.pay = () => Promise.resolve({ ...started, psp_code, client: everything });
      const reply = await pay();
      expect(reply.status).toBe(201);
      expect(Object.keys(reply.body).sort()).toEqual([...common, ...own].sort());
      expect(reply.body).toMatchObject({
        psp_code,
        payment_intent_id: intent,
        currency: 'EUR',
        slot_ids: [slot],
        is_test_mode: true,
      });
      expect(reply.text).toContain('"amount":10.50');
    },
  );

  it('a pay passes on payer, slots with ids in one spelling, and merchant', async () => {
    const body = { customer_email: 'Ada@Example.com', customer_name: 'Ada', slot_ids: [slot.toUpperCase()] };
    await pay(body, edge.key, group.toUpperCase());
    expect(edge.fakes.received.pay).toEqual([
      {
        command_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        merchant_id: 'm1',
        mode: 'test',
        principal: 'secret',
        group_id: group,
        customer_email: 'Ada@Example.com',
        customer_name: 'Ada',
        slot_ids: [slot],
      },
    ]);
  });

  it('a live key moves real money', async () => {
    const { key } = await edge.addKey('live');
    expect((await pay(undefined, key)).body['is_test_mode']).toBe(false);
  });
});

describe('400 validation', () => {
  const email = 'customer_email';
  it.each([
    [{}, email, 'is required'],
    [{ [email]: 'nobody' }, email, 'must be an e-mail address'],
    [{ [email]: ' ada@example.com' }, email, 'must be an e-mail address'],
    [{ [email]: 'a@b' }, email, 'must be an e-mail address'],
    [{ [email]: 7 }, email, 'must be a string'],
    [{ [email]: `${'a'.repeat(400)}@example.com` }, email, 'must have at most 320 characters'],
    [
      { [email]: 'a@b.co', customer_name: 'Ada 4242 4242 4242 4242' },
      'customer_name',
      'must be a name: with characters to see, without hidden ones and without a card number',
    ],
    [
      { [email]: 'a@b.co', customer_name: 'x'.repeat(101) },
      'customer_name',
      'must have at most 100 characters',
    ],
    [{ [email]: 'a@b.co', slot_ids: [] }, 'slot_ids', 'must have at least 1 item'],
    [{ [email]: 'a@b.co', slot_ids: Array(31).fill(slot) }, 'slot_ids', 'must have at most 30 items'],
    [{ [email]: 'a@b.co', slot_ids: ['1'] }, 'slot_ids[0]', 'must be a UUID'],
    [{ [email]: 'a@b.co', slot_ids: [`urn:uuid:${slot}`] }, 'slot_ids[0]', 'must be a UUID'],
    [{ [email]: 'a@b.co', amount: 5 }, 'amount', 'is not a known field'],
  ])('an invalid pay is a 400: %j', async (body, param, reason) => {
    const reply = await pay(body);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(`Validation error: ${param}: ${reason}`);
    expect(edge.fakes.received.pay).toEqual([]);
  });
});

describe('errors of checkout', () => {
  it.each([
    [400, 'Bad Request', 'invalid_slot_ids', 'slot_ids must name slots of this group payment, each once'],
    [400, 'Bad Request', 'amount_below_gateway_minimum', "the amount is below the payment gateway's minimum"],
    [404, 'Not Found', 'not_found', 'not found'],
    [409, 'Conflict', 'group_expired', 'the group payment has expired'],
    [409, 'Conflict', 'group_not_payable', 'the group payment cannot be paid in its current state'],
    [409, 'Conflict', 'no_payable_slots', 'no payable slots'],
    [409, 'Conflict', 'no_active_gateway', 'merchant has no active payment gateway'],
    [500, 'Internal Server Error', 'gateway_error', 'the payment gateway could not process the request'],
    [503, 'Service Unavailable', 'gateway_unavailable', 'the payment gateway is not available at the moment'],
    [503, 'Service Unavailable', 'deadline_exceeded', 'the request took too long'],
  ] as const)(
    'an error of checkout is passed on: %i %s, %s',
    async (status, error, code: ErrorCode, message) => {
      edge.fakes.answers.pay = () => Promise.reject(new AppError(code));
      const reply = await pay();
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ error, code, message, version: '1.0.0' });
    },
  );

  it('an id that is none is a 404', async () => {
    const reply = await pay(undefined, edge.key, 'nope');
    expect(reply.status).toBe(404);
    expect(reply.body['message']).toBe('group payment not found');
  });

  it('a 409 names the slots that are taken', async () => {
    const data = { details: [{ param: 'slot_ids', reason: 'is not free', slot_id: slot }] };
    edge.fakes.answers.pay = () => Promise.reject(new AppError('no_payable_slots', data));
    expect((await pay()).body['details']).toEqual(data.details);
  });

  it('a 503 asks to come back later', async () => {
    edge.fakes.answers.pay = () =>
      Promise.reject(new AppError('gateway_unavailable', { retryAfterSeconds: 5 }));
    expect((await pay()).headers['retry-after']).toBe('5');
  });
});
