import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import {
  bearer,
  cardSource,
  heldPayment,
  merchantB,
  pay,
  paymentBody,
  step,
  type MerchantB,
} from './merchant.ts';

let sandbox: Sandbox;
let tester: Tester;
let receiver: Receiver;
let merchant: MerchantB;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
  tester = openTester(sandbox.url);
  merchant = await merchantB(sandbox, tester, receiver.url);
});

afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
});

const about = (id: string, type: string) =>
  receiver.first((body) => body.type === type && JSON.stringify(body).includes(id));

describe('the life of a payment, through the official SDK', () => {
  it('a payment is authorised at once; captured and refunded a moment after it was accepted', async () => {
    const { payments } = merchant.api;
    const reference = uuidv7();
    const made = await payments.request(
      { source: cardSource('4242424242424242'), amount: 1500, currency: 'EUR', capture: false, reference },
      uuidv7(),
    );
    expect(made).toMatchObject({
      approved: true,
      status: 'Authorized',
      amount: 1500,
      response_code: '10000',
      reference,
    });

    expect(await payments.capture(made.id, { reference: 'c1' }, uuidv7())).toMatchObject({ reference: 'c1' });
    await tester.becomes(made.id, 'captured');
    expect(await payments.get(made.id)).toMatchObject({
      status: 'Captured',
      balances: { total_authorized: 1500, total_captured: 1500, available_to_refund: 1500 },
    });
    await payments.refund(made.id, { amount: 500 }, uuidv7());
    await about(made.id, 'payment_refunded');
    expect(await payments.get(made.id)).toMatchObject({ status: 'Partially Refunded' });
    await payments.refund(made.id, {}, uuidv7());
    await tester.becomes(made.id, 'refunded');
    const actions = await payments.getActions(made.id);
    expect(actions.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
      'Refund 1000',
      'Refund 500',
      'Capture 1500',
      'Authorization 1500',
    ]);
    expect(await tester.calls(made.id, 'capture')).toEqual(['ok']);
  });

  it('a payment shows nothing of an accepted capture until it is done', async () => {
    const id = await heldPayment(merchant);
    const accepted = await step(merchant, id, 'captures');
    expect(accepted).toMatchObject({ status: 202, body: { action_id: expect.stringMatching(/^act_/) } });
    expect(await tester.calls(id, 'capture')).toEqual(
      expect.arrayContaining([expect.stringMatching(/accepted|ok/)]),
    );
    await tester.becomes(id, 'captured');
  });

  it('a payment is voided, after which nothing can be captured', async () => {
    const id = await heldPayment(merchant);
    expect(await step(merchant, id, 'voids')).toMatchObject({ status: 202 });
    await tester.becomes(id, 'voided');
    expect(await step(merchant, id, 'captures')).toMatchObject({ status: 403, text: '' });
    expect(await tester.page(id)).toMatchObject({ captured_minor: 0 });
  });

  it('a payment takes only one of several steps requested at once', async () => {
    const id = await heldPayment(merchant);
    const answers = await Promise.all(
      ['captures', 'captures', 'voids'].map((path) => step(merchant, id, path as 'voids')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 403, 403]);
  });

  it('a payment never captures more than is held', async () => {
    const id = await heldPayment(merchant);
    expect(await step(merchant, id, 'captures', { amount: 1501 })).toMatchObject({
      status: 422,
      body: { error_codes: ['capture_value_greater_than_remaining_authorized'] },
    });
  });
});

describe('cards', () => {
  it.each([
    ['4000000000000002', '20005'],
    ['4000000000000341', '20005'],
    ['4000000000009995', '20051'],
    ['4000000000009987', '30041'],
    ['4000000000000069', '20054'],
  ])('the card %s is declined with %s, and that is a normal response', async (number, response_code) => {
    const { status, body } = await pay(merchant, { number });
    expect(status).toBe(201);
    expect(body).toMatchObject({ approved: false, status: 'Declined', response_code });
  });

  it('a card without a right number is a mistake of the request', async () => {
    expect(await pay(merchant, { number: '4242424242424241' })).toMatchObject({
      status: 422,
      body: { error_type: 'request_invalid', error_codes: ['card_number_invalid'] },
    });
  });

  it('a card with 3-D Secure leaves the payment pending until the payer has responded', async () => {
    const answered = async (result: string) => {
      const { status, body } = await pay(merchant, { number: '4000002760003184' });
      expect(status).toBe(202);
      const { id, _links, ...rest } = body as {
        id: string;
        status: string;
        _links: { redirect: { href: string } };
      };
      expect(rest.status).toBe('Pending');
      await call('POST', _links.redirect.href, { body: new URLSearchParams({ result }) });
      return (await tester.page(id)).status;
    };
    expect([await answered('authenticated'), await answered('failed')]).toEqual(['authorised', 'declined']);
  });
});

describe('asking', () => {
  it("a query finds every payment by the merchant's reference, and no other merchant's", async () => {
    const reference = uuidv7();
    const id = await heldPayment(merchant, { reference });
    const find = (who: MerchantB, text: string) =>
      call('GET', `${who.processor}/payments?reference=${text}`, { headers: bearer(who) });
    expect(await find(merchant, reference)).toMatchObject({
      status: 200,
      body: { total_count: 1, data: [{ id, status: 'Authorized', reference }] },
    });
    expect(await find(merchant, uuidv7())).toMatchObject({ status: 200, body: { total_count: 0, data: [] } });
    const other = await merchantB(sandbox, tester);
    expect(await find(other, reference)).toMatchObject({ body: { total_count: 0 } });
    expect(await call('GET', `${other.processor}/payments/${id}`, { headers: bearer(other) })).toMatchObject({
      status: 404,
    });
    expect(await step(other, id, 'captures')).toMatchObject({ status: 404 });
  });

  it('many queries at once are all answered', async () => {
    const reference = uuidv7();
    const id = await heldPayment(merchant, { reference });
    const paths = [`payments/${id}`, `payments/${id}/actions`, `payments?reference=${reference}`];
    const asked = Array.from({ length: 30 }, (_, i) =>
      call('GET', `${merchant.processor}/${paths[i % 3]}`, { headers: bearer(merchant) }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('a query needs the secret key', async () => {
    for (const headers of [{}, { Authorization: 'Bearer sk_sbox_wrong' }]) {
      expect(await call('GET', `${merchant.processor}/payments/pay_1`, { headers })).toMatchObject({
        status: 401,
        text: '',
      });
    }
  });
});

describe('an idempotency key', () => {
  it('an idempotency key returns a success again and makes nothing new', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    const first = await pay(merchant, { key, intent });
    const again = await pay(merchant, { key, intent });
    expect(again.body).toEqual(first.body);
    expect(await tester.calls(intent, 'authorise')).toEqual(['ok', 'replayed']);
  });

  it('an idempotency key does not store a refusal: the step is tried anew', async () => {
    const key = uuidv7();
    const { body } = await pay(merchant, { number: '4000002760003184' });
    const { id, _links } = body as { id: string; _links: { redirect: { href: string } } };
    expect(await step(merchant, id, 'captures', {}, key)).toMatchObject({ status: 403 });
    await call('POST', _links.redirect.href, { body: new URLSearchParams({ result: 'authenticated' }) });
    expect(await step(merchant, id, 'captures', {}, key)).toMatchObject({ status: 202 });
  });

  it('an idempotency key makes one payment of many requests at once', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => pay(merchant, { key, intent })));
    expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
    expect(await tester.books(intent)).toHaveLength(1);
  });
});

describe('callbacks', () => {
  it('callbacks are signed over their exact bytes and carry reference and metadata', async () => {
    const [reference, intent] = [uuidv7(), uuidv7()];
    const id = await heldPayment(merchant, { reference, intent });
    const { headers, text } = await about(id, 'payment_approved');
    const expected = createHmac('sha256', merchant.credentials.webhook_secret).update(text).digest('hex');
    expect(headers['cko-signature']).toBe(expected);
    expect(JSON.parse(text)).toMatchObject({
      data: {
        id,
        reference,
        amount: 1500,
        currency: 'EUR',
        response_code: '10000',
        metadata: { payment_intent_id: intent },
      },
    });
  });

  it('callbacks go to the endpoint of the whole gateway when the account has none', async () => {
    const shared = await startReceiver();
    await tester.control('PUT', 'gateway_b/webhook_endpoint', { url: shared.url, secret: 'shared secret' });
    const id = await heldPayment(await merchantB(sandbox, tester));
    const { headers, text } = await shared.first(({ type }) => type === 'payment_approved');
    expect(text).toContain(id);
    expect(headers['cko-signature']).toBe(createHmac('sha256', 'shared secret').update(text).digest('hex'));
    await shared.stop();
  });
});

describe('a request that makes no sense', () => {
  const post = (body: unknown) =>
    call('POST', `${merchant.processor}/payments`, { body, headers: bearer(merchant) });
  const base = paymentBody();

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'request_body_malformed'],
    ['a list', [], 'request_body_malformed'],
    ['text that cannot be stored', { ...base, reference: 'a\u0000' }, 'request_body_malformed'],
    ['half a surrogate pair', `{"reference":"\\ud800"}`, 'request_body_malformed'],
    ['no source', { ...base, source: undefined }, 'payment_source_required'],
    ['no amount', { ...base, amount: undefined }, 'amount_required'],
    ['half a cent', { ...base, amount: 10.5 }, 'amount_invalid'],
    ['nothing', { ...base, amount: 0 }, 'amount_invalid'],
    ['too much', { ...base, amount: 1e15 }, 'amount_invalid'],
    ['a small currency', { ...base, currency: 'eur' }, 'currency_invalid'],
    ['a long reference', { ...base, reference: 'x'.repeat(81) }, 'reference_invalid'],
    ["another's channel", { ...base, processing_channel_id: 'pc_other' }, 'processing_channel_id_invalid'],
    ['nested metadata', { ...base, metadata: { a: {} } }, 'metadata_invalid'],
    [
      'an encrypted card that did not come through the relay',
      { ...base, source: cardSource('ev:QkTC:x:$') },
      'card_number_invalid',
    ],
  ])('an invalid request %s is refused with a reason', async (_what, body, code) => {
    expect(await post(body)).toMatchObject({ status: 422, body: { error_codes: [code] } });
  });
});
