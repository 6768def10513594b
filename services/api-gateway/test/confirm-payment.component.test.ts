import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, type ErrorCode } from '@gp/errors';
import { confirmPayment } from '../src/app/payments/confirm-payment.ts';
import type { ServiceCalls } from '../src/app/ports.ts';
import { makeTicket } from './support/fakes.ts';
import { card, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const group = '0198c3f0-0000-7000-8000-00000000000a';
const intent = '0198c3f0-0000-7000-8000-00000000000c';
type Sent = { card?: unknown; payment_intent_id?: unknown; extra?: unknown; return_url?: unknown };
const confirm = (o: Sent = {}, id = group) =>
  edge.post(
    `/v1/group-payments/${id}/confirm`,
    { payment_intent_id: intent, card, ...o },
    { idempotencyKey: 'ignored-here' },
  );

describe('200 preauthorised', () => {
  it('a card goes to the adapter with the ticket, and checkout never sees it', async () => {
    const reply = await confirm();
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ status: 'preauthorised' });
    expect(edge.fakes.received.begin).toEqual([
      { merchant_id: 'm1', mode: 'test', principal: 'secret', group_id: group, payment_intent_id: intent },
    ]);
    expect(edge.fakes.received.card).toMatchObject([{ card, ticket: { intent_id: intent, seq: 1 } }]);
  });

  it('a confirm of a held payment returns the hold without a call to the adapter', async () => {
    edge.fakes.answers.begin = () => Promise.resolve({ status: 'held' });
    expect((await confirm()).status).toBe(200);
    expect(edge.fakes.received.card).toEqual([]);
  });

  it('an Idempotency-Key is ignored: nothing of a card request is recorded', async () => {
    await confirm();
    await confirm();
    expect(edge.fakes.received.card).toHaveLength(2);
    expect(await edge.rows('select 1 from idempotency_keys')).toEqual([]);
  });
});

describe('200 requires_action', () => {
  const return_url = 'https://shop.example/orders/42';

  it('a return_url goes to checkout, and the bank’s page comes back to the caller (Q51)', async () => {
    const next_action = { type: 'redirect' as const, url: 'https://bank.example/3ds/1' };
    edge.fakes.answers.card = () => Promise.resolve({ status: 'requires_action', next_action });
    const reply = await confirm({ return_url });
    expect([reply.status, reply.body]).toEqual([200, { status: 'requires_action', next_action }]);
    expect(edge.fakes.received.begin).toMatchObject([{ payment_intent_id: intent, return_url }]);
  });

  it.each([
    [5, 'must be a string'],
    ['orders/42', 'must be an absolute URL'],
    [`${return_url}?${'x'.repeat(2_000)}`, 'must have at most 2000 characters'],
  ])('a return_url %# that is no address is a 400 and reaches nobody (Q51)', async (address, reason) => {
    const reply = await confirm({ return_url: address });
    expect([reply.status, reply.body['message']]).toEqual([400, `Validation error: return_url: ${reason}`]);
    expect(edge.fakes.received.begin).toEqual([]);
  });
});

describe('400 validation', () => {
  const without = (field: keyof typeof card) => ({ ...card, [field]: undefined });
  it.each([
    [{ payment_intent_id: 'x' }, 'payment_intent_id', 'must be a UUID'],
    [{ payment_intent_id: undefined }, 'payment_intent_id', 'is required'],
    [{ card: undefined }, 'card', 'is required'],
    [{ card: 'ev:all' }, 'card', 'must be an object'],
    [{ card: without('cardholder_name') }, 'card.cardholder_name', 'is required'],
    [{ card: { ...card, cardholder_name: '' } }, 'card.cardholder_name', 'must have at least 1 character'],
    [
      { card: { ...card, cardholder_name: 'x'.repeat(101) } },
      'card.cardholder_name',
      'must have at most 100 characters',
    ],
    [
      { card: { ...card, encrypted_card_number: '4242424242424242' } },
      'card.encrypted_card_number',
      'must be encrypted by the card field (it then starts with ev:)',
    ],
    [
      { card: { ...card, encrypted_security_code: '123' } },
      'card.encrypted_security_code',
      'must be encrypted by the card field (it then starts with ev:)',
    ],
    [{ card: { ...card, expiration_month: 13 } }, 'card.expiration_month', 'must be at most 12'],
    [{ card: { ...card, expiration_month: 0 } }, 'card.expiration_month', 'must be at least 1'],
    [{ card: { ...card, expiration_year: 30 } }, 'card.expiration_year', 'must be at least 2000'],
    [{ card: { ...card, expiration_year: 2101 } }, 'card.expiration_year', 'must be at most 2100'],
    [{ card: { ...card, pan: '4242' } }, 'card.pan', 'is not a known field'],
    [{ extra: 1 }, 'extra', 'is not a known field'],
  ])(
    'an invalid confirm (%#) is a 400 that names the field and never repeats the value',
    async (o, param, reason) => {
      const reply = await confirm(o);
      expect(reply.status).toBe(400);
      expect(reply.body['message']).toBe(`Validation error: ${param}: ${reason}`);
      expect(reply.text).not.toMatch(/\b4242|sentinel/);
      expect(edge.fakes.received.begin).toEqual([]);
    },
  );
});

describe('a card that is not ciphertext (X1)', () => {
  const pan = '4242424242424242';
  const key = 'A'.repeat(44);
  const iv = 'A'.repeat(16);
  const notEncrypted = 'must be encrypted by the card field (it then starts with ev:)';
  it.each([
    ['nothing behind the prefix', 'ev:'],
    ['a card number behind the prefix', `ev:${pan}`],
    ['a card number with separators behind the prefix', 'ev:4242 4242-4242.4242'],
    ['parts that are too short', 'ev:QkTC:AAAA:BBBB:CCCC:$'],
    ['a card number in the place of the iv', `ev:QkTC:${pan}:${key}:${'A'.repeat(40)}:$`],
    ['a card number among the ciphertext', `ev:QkTC:${iv}:${key}:AAAAAAAA4242/4242+4242/4242AAAAAAAA:$`],
    ['another line', `${card.encrypted_card_number}\n${pan}`],
  ])('the card %s gives a 400 and reaches neither checkout nor the adapter (X1)', async (_what, field) => {
    for (const name of ['encrypted_card_number', 'encrypted_security_code']) {
      const reply = await confirm({ card: { ...card, [name]: field } });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        code: 'validation_error',
        message: `Validation error: card.${name}: ${notEncrypted}`,
      });
      expect(reply.text).not.toContain('4242');
    }
    expect(edge.fakes.received).toMatchObject({ begin: [], card: [] });
  });

  it('a card of 100 kB of ciphertext gives a 400 and reaches neither checkout nor the adapter (X1)', async () => {
    const field = `ev:QkTC:${iv}:${key}:${'A'.repeat(100_000)}:$`;
    const reply = await confirm({ card: { ...card, encrypted_card_number: field } });
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toMatch(/^Validation error: card\.encrypted_card_number: /);
    expect(edge.fakes.received.begin).toEqual([]);
  });

  it.each([
    `ev:debug:QkTC:${iv}:${key}:${'A'.repeat(40)}:$`,
    `ev:RFVC:number:${iv}:${key}:${'A'.repeat(40)}==:$`,
    `ev:S0lS:string:${iv}:${key}:${'A'.repeat(41)}=:$`,
  ])('the card %s is a form of ciphertext and reaches the adapter (X1)', async (field) => {
    expect((await confirm({ card: { ...card, encrypted_card_number: field } })).status).toBe(200);
    expect(edge.fakes.received.card).toHaveLength(1);
  });

  it.each([pan, 'Ada 4242 4242 4242 4242', 'Ada\r\nLovelace', ' ', 'Ada\u202Eecalevol'])(
    'a cardholder name %p gives a 400 that does not repeat it (X1)',
    async (cardholder_name) => {
      const reply = await confirm({ card: { ...card, cardholder_name } });
      expect(reply.status).toBe(400);
      expect(reply.body['message']).toMatch(/^Validation error: card\.cardholder_name: must be a name/);
      expect(reply.text).not.toContain('4242');
      expect(edge.fakes.received.begin).toEqual([]);
    },
  );
});

describe('refusals of checkout and the adapter', () => {
  it.each([
    [400, 'card_declined', 'the card was declined'],
    [400, 'authentication_required', 'the card issuer asks for authentication that this payment cannot give'],
    [404, 'not_found', 'not found'],
    [409, 'group_expired', 'the group payment has expired'],
    [500, 'outcome_unknown', "the payment's outcome is not known yet and is being verified"],
    [503, 'gateway_unavailable', 'the payment gateway is not available at the moment'],
  ] as const)(
    'a refusal of checkout or the adapter is passed on: %i %s',
    async (status, code: ErrorCode, message) => {
      edge.fakes.answers.card = () => Promise.reject(new AppError(code));
      const reply = await confirm();
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ code, message });
    },
  );

  it('a payment intent that is not found is a 404, as checkout reports it', async () => {
    edge.fakes.answers.begin = () =>
      Promise.reject(new AppError('not_found', { message: 'payment intent not found' }));
    const reply = await confirm();
    expect(reply.status).toBe(404);
    expect(reply.body['message']).toBe('payment intent not found');
  });

  it('a confirm of a payment of another gateway is a 400', async () => {
    edge.fakes.answers.begin = () => Promise.reject(new AppError('confirm_not_supported'));
    expect((await confirm()).status).toBe(400);
  });

  it('an adapter that fails after it was asked leaves the outcome unknown, not failed', async () => {
    edge.fakes.answers.card = () => Promise.reject(new Error('socket hang up'));
    const reply = await confirm();
    expect(reply.status).toBe(500);
    expect(reply.body['code']).toBe('outcome_unknown');
    expect(reply.headers['retry-after']).toBe('5');
  });

  it('a checkout that fails before the adapter was asked is an ordinary failure', async () => {
    edge.fakes.answers.begin = () => Promise.reject(new Error('boom'));
    expect((await confirm()).body['code']).toBe('internal_error');
    expect(edge.fakes.received.card).toEqual([]);
  });
});

describe('a deadline that passes', () => {
  const begin = {
    merchant_id: 'm1',
    mode: 'test',
    principal: 'secret',
    group_id: group,
    payment_intent_id: intent,
  } as const;
  const services = (o: Partial<ServiceCalls>): ServiceCalls => o as ServiceCalls;
  const late = () => Promise.reject(new AppError('deadline_exceeded'));
  const begun = () => Promise.resolve({ status: 'begun' as const, ticket: makeTicket(begin) });

  it('a deadline that passes before the adapter was called lets the same request be repeated', async () => {
    const confirmIntent = jest.fn<ServiceCalls['confirmIntent']>();
    const run = confirmPayment(services({ beginConfirmation: late, confirmIntent }));
    await expect(run(begin, card)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(confirmIntent).not.toHaveBeenCalled();
  });

  it('a deadline that passes after the adapter was called leaves the outcome unknown', async () => {
    const run = confirmPayment(services({ beginConfirmation: begun, confirmIntent: late }));
    await expect(run(begin, card)).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('both steps of a confirm share a deadline of 28 seconds', async () => {
    const deadlines: number[] = [];
    const noted =
      <T>(answer: T) =>
      (_: unknown, deadline: number) => (deadlines.push(deadline), Promise.resolve(answer));
    const run = confirmPayment(
      services({
        beginConfirmation: noted({ status: 'begun' as const, ticket: makeTicket(begin) }),
        confirmIntent: noted({ status: 'preauthorised' as const }),
      }),
    );
    const startedAt = Date.now();
    await run(begin, card);
    expect(deadlines[0]).toBe(deadlines[1]);
    expect(deadlines[0]).toBeGreaterThanOrEqual(startedAt + 28_000);
  });

  it('an adapter that cannot be reached is a gateway that is away', async () => {
    const away = () => Promise.reject(new AppError('service_unavailable'));
    const run = confirmPayment(services({ beginConfirmation: begun, confirmIntent: away }));
    await expect(run(begin, card)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  });
});
