import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { uuidv7 } from 'uuidv7';
import {
  call,
  type Receiver,
  type Sandbox,
  startReceiver,
  startSandbox,
  type Tester,
  openTester,
} from '@gp/psp-sandbox/test-kit';
import { confirmInBrowser, createIntent, heldIntent, merchantA, type MerchantA } from './merchant.ts';

let sandbox: Sandbox;
let tester: Tester;
let receiver: Receiver;
let merchant: MerchantA;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
  tester = openTester(sandbox.url);
  merchant = await merchantA(sandbox, tester, receiver.url);
});

afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
});

const catchErrorCode = (attempt: Promise<unknown>): Promise<string | undefined> =>
  attempt.then(
    () => 'succeeded',
    (e: unknown) => (e as Stripe.errors.StripeError).code ?? (e as Error).constructor.name,
  );

describe('the life of a payment, through the official SDK', () => {
  it('a payment is created, held, captured and refunded, each step once in the books', async () => {
    const intent = await createIntent(merchant);
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      amount: 1500,
      amount_capturable: 0,
      livemode: false,
    });

    const confirmed = await confirmInBrowser(merchant, sandbox, intent, '4242424242424242');
    expect(confirmed).toMatchObject({
      status: 200,
      body: { status: 'requires_capture', amount_capturable: 1500 },
    });
    const held = await merchant.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    const charge = held.latest_charge as Stripe.Charge;
    const lifetime = (charge.payment_method_details?.card?.capture_before ?? 0) - charge.created;
    expect(lifetime).toBe(7 * 24 * 3600);
    expect(charge).toMatchObject({
      captured: false,
      payment_method_details: { card: { last4: '4242', brand: 'visa' } },
    });

    const captured = await merchant.stripe.paymentIntents.capture(
      intent.id,
      {},
      { idempotencyKey: uuidv7() },
    );
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 1500 });
    const refund = await merchant.stripe.refunds.create(
      { payment_intent: intent.id },
      { idempotencyKey: uuidv7() },
    );
    expect(refund).toMatchObject({ status: 'succeeded', amount: 1500, payment_intent: intent.id });
    expect(await merchant.stripe.refunds.retrieve(refund.id)).toMatchObject({ id: refund.id });

    const page = await tester.page(intent.id);
    expect(page).toMatchObject({
      status: 'refunded',
      authorised_minor: 1500,
      captured_minor: 1500,
      refunded_minor: 1500,
    });
    const made = page.calls
      .filter(({ operation }) => operation !== 'query')
      .map((c) => `${c.operation} ${c.outcome}`);
    expect(made).toEqual(['prepare ok', 'authorise ok', 'capture ok', 'refund ok']);
  });

  it('a payment captures a part and releases the rest; refunds never exceed it', async () => {
    const intent = await heldIntent(merchant, sandbox);
    await merchant.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 1000 });
    await merchant.stripe.refunds.create({ payment_intent: intent.id, amount: 400 });
    expect(
      await catchErrorCode(merchant.stripe.refunds.create({ payment_intent: intent.id, amount: 601 })),
    ).toBe('amount_too_large');
    await merchant.stripe.refunds.create({ payment_intent: intent.id });
    expect(await catchErrorCode(merchant.stripe.refunds.create({ payment_intent: intent.id }))).toBe(
      'charge_already_refunded',
    );
    expect(await tester.page(intent.id)).toMatchObject({
      status: 'refunded',
      captured_minor: 1000,
      refunded_minor: 1000,
    });
  });

  it('a payment cancels a hold, after which nothing can be captured', async () => {
    const intent = await heldIntent(merchant, sandbox);
    const canceled = await merchant.stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'abandoned',
    });
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
      amount_capturable: 0,
    });
    expect(await catchErrorCode(merchant.stripe.paymentIntents.capture(intent.id))).toBe(
      'payment_intent_unexpected_state',
    );
    expect(await tester.page(intent.id)).toMatchObject({ status: 'voided', captured_minor: 0 });
  });

  it('a payment takes only one of two captures made at once', async () => {
    const intent = await heldIntent(merchant, sandbox);
    const tries = [1, 2, 3, 4].map(() => catchErrorCode(merchant.stripe.paymentIntents.capture(intent.id)));
    const outcomes = (await Promise.all(tries)).sort();
    expect(outcomes).toEqual([...Array<string>(3).fill('payment_intent_unexpected_state'), 'succeeded']);
    expect(await tester.calls(intent.id, 'capture')).toEqual(expect.arrayContaining(['ok', 'refused']));
    expect(await tester.page(intent.id)).toMatchObject({ captured_minor: 1500 });
  });

  it('a payment tries again with another card after a decline', async () => {
    const intent = await createIntent(merchant);
    const declined = await confirmInBrowser(merchant, sandbox, intent, '4000000000009995');
    expect(declined).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' } },
    });
    const waiting = await merchant.stripe.paymentIntents.retrieve(intent.id);
    expect(waiting).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    await confirmInBrowser(merchant, sandbox, intent, '4242424242424242');
    expect(await tester.page(intent.id)).toMatchObject({ status: 'authorised' });
    expect(await tester.calls(intent.id, 'authorise')).toEqual(['declined', 'ok']);
  });
});

describe('test cards', () => {
  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000000069', 'expired_card', undefined],
    ['4000000000000127', 'incorrect_cvc', undefined],
    ['4000000000000119', 'processing_error', undefined],
    ['4242424242424241', 'incorrect_number', undefined],
  ])('the test card %s is refused with %s', async (number, code, decline) => {
    const { status, body } = await confirmInBrowser(merchant, sandbox, await createIntent(merchant), number);
    const { error } = body as { error: { code: string; decline_code?: string } };
    expect([status, error.code, error.decline_code]).toEqual([402, code, decline]);
  });

  it('the card 4000000000007726 refunds later, and 4000000000005126 reverses its refund', async () => {
    const later = await createIntent(merchant);
    const failing = await createIntent(merchant);
    await confirmInBrowser(merchant, sandbox, later, '4000000000007726');
    await confirmInBrowser(merchant, sandbox, failing, '4000000000005126');
    for (const { id } of [later, failing]) await merchant.stripe.paymentIntents.capture(id);
    expect(await merchant.stripe.refunds.create({ payment_intent: later.id })).toMatchObject({
      status: 'pending',
    });
    expect(await merchant.stripe.refunds.create({ payment_intent: failing.id })).toMatchObject({
      status: 'succeeded',
    });
    await tester.becomes(later.id, 'refunded');
    expect(await tester.becomes(failing.id, 'captured')).toMatchObject({ refunded_minor: 0 });
    await receiver.first(
      ({ type, data }) => type === 'refund.failed' && JSON.stringify(data).includes(failing.id),
    );
  });
});

describe('3-D Secure', () => {
  const challenged = async (number: string) => {
    const intent = await createIntent(merchant);
    const more = { return_url: 'https://shop.example/back?order=1' };
    const { body } = await confirmInBrowser(merchant, sandbox, intent, number, more);
    const { status, next_action } = body as Stripe.PaymentIntent;
    expect(status).toBe('requires_action');
    return { intent, url: next_action?.redirect_to_url?.url ?? '' };
  };
  const answer = (url: string, result: string) =>
    call('POST', url, { body: new URLSearchParams({ result }) });

  it('a 3-D Secure payment holds the money only when the payer has agreed on a page with one form', async () => {
    const { intent, url } = await challenged('4000002760003184');
    expect(await tester.page(intent.id)).toMatchObject({ status: 'created', authorised_minor: 0 });
    const page = await call('GET', url);
    expect(page.text.match(/<form/g)).toHaveLength(1);
    const done = await answer(url, 'authenticated');
    expect(done.status).toBe(303);
    const back = new URL(String(done.headers['location']));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      order: '1',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
    expect(await tester.page(intent.id)).toMatchObject({ status: 'authorised', authorised_minor: 1500 });
    expect(await tester.calls(intent.id, 'authorise')).toEqual(['ok']);
    expect(await answer(url, 'authenticated')).toMatchObject({ status: 410 });
  });

  it('a 3-D Secure payment holds nothing when the payer fails', async () => {
    const { intent, url } = await challenged('4000000000003220');
    await answer(url, 'failed');
    const failed = await merchant.stripe.paymentIntents.retrieve(intent.id);
    expect(failed).toMatchObject({
      status: 'requires_payment_method',
      next_action: null,
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    expect(await tester.calls(intent.id, 'authorise')).toEqual(['declined']);
  });

  it('a 3-D Secure payment can be followed by a decline', async () => {
    const { intent, url } = await challenged('4000008260003178');
    await answer(url, 'authenticated');
    const { last_payment_error } = await merchant.stripe.paymentIntents.retrieve(intent.id);
    expect(last_payment_error).toMatchObject({ decline_code: 'insufficient_funds' });
  });

  it('a 3-D Secure payment is over once the payment is cancelled', async () => {
    const { intent, url } = await challenged('4000002760003184');
    await merchant.stripe.paymentIntents.cancel(intent.id);
    expect(await answer(url, 'authenticated')).toMatchObject({ status: 410 });
    expect(await tester.page(intent.id)).toMatchObject({ status: 'voided', authorised_minor: 0 });
  });

  it('a 3-D Secure page accepts neither a wrong token nor a third response', async () => {
    const { intent, url } = await challenged('4000002760003184');
    expect(
      await answer(
        url.replace(/.{4}$/, (end) => (end === 'ffff' ? '0000' : 'ffff')),
        'authenticated',
      ),
    ).toMatchObject({ status: 410 });
    expect(await answer(url, 'perhaps')).toMatchObject({ status: 400 });
    expect(await tester.page(intent.id)).toMatchObject({ status: 'created' });
  });
});

describe('callbacks', () => {
  it('callbacks are signed so that the official verifier accepts them, and name the account', async () => {
    const intent = await heldIntent(merchant, sandbox);
    const { headers, text } = await receiver.first(
      ({ type, data }) =>
        type === 'payment_intent.amount_capturable_updated' && JSON.stringify(data).includes(intent.id),
    );
    const { webhook_secret, account_id } = merchant.credentials;
    const event = merchant.stripe.webhooks.constructEvent(
      text,
      String(headers['stripe-signature']),
      webhook_secret,
    );
    expect(event).toMatchObject({
      account: account_id,
      livemode: false,
      data: { object: { id: intent.id } },
    });
    expect(await merchant.stripe.events.retrieve(event.id)).toMatchObject({ id: event.id, type: event.type });
    expect(() =>
      merchant.stripe.webhooks.constructEvent(
        `${text} `,
        String(headers['stripe-signature']),
        webhook_secret,
      ),
    ).toThrow();
  });

  it('callbacks come in the order of a payment, its cancel with the known refund trap', async () => {
    const intent = await heldIntent(merchant, sandbox);
    await merchant.stripe.paymentIntents.cancel(intent.id);
    await receiver.first(
      ({ type, data }) => type === 'charge.refunded' && JSON.stringify(data).includes(intent.id),
    );
    expect(receiver.types(intent.id)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.amount_capturable_updated',
      'payment_intent.canceled',
      'charge.refunded',
    ]);
  });

  it('callbacks are sent again until they are acknowledged', async () => {
    receiver.answerWith(503);
    const intent = await createIntent(merchant);
    const isOurs = ({ text }: { text: string }) => text.includes(intent.id);
    await receiver.first(({ data }) => JSON.stringify(data ?? '').includes(intent.id));
    receiver.answerWith(200);
    await tester.becomes(intent.id, 'created');
    const { id } = JSON.parse(receiver.received.find(isOurs)?.text ?? '{}') as { id: string };
    await receiver.first(() => receiver.received.filter(isOurs).length >= 2);
    const ids = receiver.received.filter(isOurs).map(({ text }) => (JSON.parse(text) as { id: string }).id);
    expect(new Set(ids)).toEqual(new Set([id]));
  });
});

describe('an idempotency key', () => {
  it('an idempotency key returns the first response again and makes nothing new', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    const first = await createIntent(merchant, { key, intent });
    const again = await createIntent(merchant, { key, intent });
    expect(again).toEqual(first);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await tester.books(intent)).toHaveLength(1);
    expect(await tester.calls(intent, 'prepare')).toEqual(['ok', 'replayed']);
  });

  it('an idempotency key is for one request only', async () => {
    const key = uuidv7();
    await createIntent(merchant, { key, amount: 1500 });
    expect(await catchErrorCode(createIntent(merchant, { key, amount: 1600 }))).toBe(
      'StripeIdempotencyError',
    );
  });

  it('an idempotency key makes one payment of many requests at once', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map(() => catchErrorCode(createIntent(merchant, { key, intent }))),
    );
    expect(outcomes).toContain('succeeded');
    expect(outcomes.every((code) => code === 'succeeded' || code === 'idempotency_key_in_use')).toBe(true);
    expect(await tester.books(intent)).toHaveLength(1);
  });

  it('an idempotency key keeps failures, too: a refused capture stays refused', async () => {
    const intent = await createIntent(merchant);
    const idempotencyKey = uuidv7();
    const capture = () =>
      catchErrorCode(merchant.stripe.paymentIntents.capture(intent.id, {}, { idempotencyKey }));
    expect(await capture()).toBe('payment_intent_unexpected_state');
    await confirmInBrowser(merchant, sandbox, intent, '4242424242424242');
    expect(await capture()).toBe('payment_intent_unexpected_state');
    expect(await tester.page(intent.id)).toMatchObject({ status: 'authorised' });
  });

  it('an idempotency key keeps nothing of an invalid request', async () => {
    const idempotencyKey = uuidv7();
    const create = (amount: number) =>
      catchErrorCode(merchant.stripe.paymentIntents.create({ amount, currency: 'eur' }, { idempotencyKey }));
    expect(await create(1)).toBe('amount_too_small');
    expect(await create(1500)).toBe('succeeded');
  });
});

describe('who may see a payment', () => {
  it('a payment is visible only to its account, which every call has to name', async () => {
    const intent = await heldIntent(merchant, sandbox);
    const other = await merchantA(sandbox, tester);
    expect(await catchErrorCode(other.stripe.paymentIntents.retrieve(intent.id))).toBe('resource_missing');
    expect(await catchErrorCode(other.stripe.paymentIntents.cancel(intent.id))).toBe('resource_missing');
    const forgetful = new Stripe(merchant.credentials.secret_key, {
      host: '127.0.0.1',
      port: sandbox.port('gateway-a'),
      protocol: 'http',
      maxNetworkRetries: 0,
    });
    expect(await catchErrorCode(forgetful.paymentIntents.capture(intent.id))).toBe('resource_missing');
    const stranger = { stripeAccount: other.credentials.account_id };
    await expect(merchant.stripe.paymentIntents.retrieve(intent.id, {}, stranger)).rejects.toMatchObject({
      type: 'StripePermissionError',
    });
  });

  it('a payment is not visible with a wrong key', async () => {
    const wrong = new Stripe('sk_sandbox_wrong', {
      host: '127.0.0.1',
      port: sandbox.port('gateway-a'),
      protocol: 'http',
      maxNetworkRetries: 0,
    });
    await expect(wrong.paymentIntents.retrieve('pi_1')).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    });
    expect(await call('GET', `${sandbox.url}/gateway_a/v1/account`)).toMatchObject({ status: 401 });
  });

  it('a browser sees a payment only with the client secret, and can neither create nor capture', async () => {
    const intent = await createIntent(merchant);
    const { publishable_key, account_id } = merchant.credentials;
    const headers = { 'Stripe-Account': account_id, Authorization: `Bearer ${publishable_key}` };
    const at = (query: string) =>
      call('GET', `${sandbox.url}/gateway_a/v1/payment_intents/${intent.id}${query}`, { headers });
    expect(await at('')).toMatchObject({ status: 401 });
    expect(await at('?client_secret=pi_wrong_secret_x')).toMatchObject({ status: 404 });
    expect(await at(`?client_secret=${intent.client_secret}`)).toMatchObject({
      status: 200,
      body: { id: intent.id },
    });
    const capture = `${sandbox.url}/gateway_a/v1/payment_intents/${intent.id}/capture`;
    expect(await call('POST', capture, { headers })).toMatchObject({ status: 401 });
    const create = new URLSearchParams({ amount: '1500', currency: 'eur' });
    expect(
      await call('POST', `${sandbox.url}/gateway_a/v1/payment_intents`, { headers, body: create }),
    ).toMatchObject({ status: 403 });
  });
});

describe('amounts', () => {
  it.each([
    [49, 'eur', 'amount_too_small'],
    [100_000_000, 'eur', 'amount_too_large'],
    [3334, 'kwd', 'parameter_invalid_integer'],
    [3330, 'kwd', 'succeeded'],
    [510, 'isk', 'parameter_invalid_integer'],
    [500, 'isk', 'succeeded'],
    [1000, 'lyd', 'currency_not_supported'],
  ])('the amount %d %s: %s', async (amount, currency, outcome) => {
    expect(await catchErrorCode(merchant.stripe.paymentIntents.create({ amount, currency }))).toBe(outcome);
  });

  it('amounts follow the version of the wire: the old method list is refused by the new one', async () => {
    const create = (version: string) =>
      call('POST', `http://127.0.0.1:${sandbox.port('gateway-a')}/v1/payment_intents`, {
        body: new URLSearchParams({ amount: '1500', currency: 'eur', 'payment_method_types[0]': 'card' }),
        headers: { Authorization: `Bearer ${merchant.credentials.secret_key}`, 'Stripe-Version': version },
      });
    expect(await create('2026-08-26.dahlia')).toMatchObject({ status: 200 });
    expect(await create('2026-10-28.endive')).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_unknown' } },
    });
  });
});
