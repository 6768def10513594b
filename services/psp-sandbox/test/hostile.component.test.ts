import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { signed } from '../../gateway-adapters/redsys/sandbox/signature.ts';
import { merchantA, createIntent, type MerchantA } from '../../gateway-adapters/stripe/test/merchant.ts';
import { heldPayment, merchantB, type MerchantB } from '../../gateway-adapters/checkout-com/test/merchant.ts';
import {
  findFormAction,
  merchantC,
  newOrder,
  openForm,
  buildParameters,
  type MerchantC,
} from '../../gateway-adapters/redsys/test/merchant.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { call, openTester, type Tester } from './tester.ts';

let sandbox: Sandbox;
let tester: Tester;
let a: MerchantA;
let b: MerchantB;
let c: MerchantC;

beforeAll(async () => {
  sandbox = await startSandbox();
  tester = openTester(sandbox.url);
  [a, b, c] = await Promise.all([
    merchantA(sandbox, tester),
    merchantB(sandbox, tester),
    merchantC(sandbox, tester),
  ]);
});

afterAll(() => sandbox.stop());

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '%00',
    '%ff',
    '../..',
    '__proto__',
    'constructor',
    'null',
    '-1',
    '1e309',
    '💥',
    "'; drop table payments; --",
  ),
  fc.string({ maxLength: 2000, minLength: 1000 }),
);

const field = fc.constantFrom(
  'amount',
  'currency',
  'capture_method',
  'metadata[payment_intent_id]',
  'metadata[sandbox_fault]',
  'description',
  'expand[]',
  'allowed_payment_method_types[]',
  'amount_to_capture',
  'payment_intent',
  'charge',
  'reason',
  'cancellation_reason',
  'client_secret',
  'payment_method',
  'payment_method_data[type]',
  'payment_method_data[card][number]',
  'return_url',
  'result',
  '__proto__[x]',
);

describe('whatever is sent', () => {
  it("gateway_a's API refuses hostile input with an error of its documented shape", async () => {
    const { id } = await createIntent(a);
    const path = fc.constantFrom(
      'payment_intents',
      `payment_intents/${id}/confirm`,
      `payment_intents/${id}/capture`,
      `payment_intents/${id}/cancel`,
      'refunds',
      'nonsense',
    );
    const headers = {
      Authorization: `Bearer ${a.credentials.secret_key}`,
      'Stripe-Account': a.credentials.account_id,
    };
    const fields = fc.array(fc.tuple(field, nasty), { maxLength: 6 });
    const body = fc.oneof(
      fields.map((pairs) =>
        pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
      ),
      fc.string({ unit: 'binary', maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(path, body, async (at, text) => {
        const { status } = await call('POST', `${sandbox.url}/gateway_a/v1/${at}`, {
          body: text,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  it('the bank refuses hostile input with an error, signed or not', async () => {
    const page = await openForm(c, newOrder());
    const path = fc.constantFrom(
      'sis/realizarPago',
      'sis/rest/trataPeticionREST',
      'sis/rest/consultaOperacionesREST',
    );
    const parameter = fc.constantFrom(
      ...[
        'ORDER',
        'AMOUNT',
        'CURRENCY',
        'TERMINAL',
        'TRANSACTIONTYPE',
        'MERCHANTURL',
        'URLOK',
        'MERCHANTDATA',
      ],
    );
    const signedBody = fc
      .dictionary(
        parameter.map((name) => `DS_MERCHANT_${name}`),
        nasty,
      )
      .map((more) => {
        const parameters: Record<string, string> = buildParameters(c, newOrder(), '1', more);
        const order = parameters['DS_MERCHANT_ORDER'] ?? '';
        const body = signed('HMAC_SHA256_V1', c.credentials.secret_key, order, parameters);
        return new URLSearchParams(body).toString();
      });
    const field = fc.constantFrom(
      'Ds_SignatureVersion',
      'Ds_MerchantParameters',
      'Ds_Signature',
      'code',
      'cvv',
    );
    const bareBody = fc.dictionary(field, nasty).map((fields) => new URLSearchParams(fields).toString());
    const target = fc.oneof(
      path.map((at) => `${sandbox.url}/gateway_c/${at}`),
      fc.constant(findFormAction(page.text)),
    );
    await fc.assert(
      fc.asyncProperty(target, fc.oneof(signedBody, bareBody, nasty), async (url, body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        expect((await call('POST', url, { body, headers })).status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  it('the processor refuses hostile input with an error', async () => {
    const id = await heldPayment(b);
    const headers = { Authorization: `Bearer ${b.credentials.processor_secret_key}` };
    const path = fc.constantFrom('payments', `payments/${id}/captures`, `payments/${id}/refunds`, 'nonsense');
    const value = fc.oneof(
      nasty,
      fc.jsonValue(),
      fc.double(),
      fc.constant({ type: 'card', number: '4242424242424242' }),
    );
    const name = fc.constantFrom(
      'source',
      'amount',
      'currency',
      'reference',
      'metadata',
      'capture',
      'customer',
      'success_url',
    );
    const body = fc.oneof(
      fc.dictionary(name, value).map((object) => JSON.stringify(object)),
      nasty,
    );
    await fc.assert(
      fc.asyncProperty(path, body, async (at, text) => {
        const { status } = await call('POST', `${b.processor}/${at}`, { body: text, headers });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  it('the relay’s look-ups and keys refuse hostile input with an error', async () => {
    const headersA = {
      Authorization: `Bearer ${a.credentials.secret_key}`,
      'Stripe-Account': a.credentials.account_id,
    };
    const headersB = { Authorization: `Bearer ${b.credentials.processor_secret_key}` };
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const word = encodeURIComponent(text.toWellFormed()) || 'x';
        for (const path of ['payment_intents', 'refunds', 'charges', 'events']) {
          const { status } = await call('GET', `${sandbox.url}/gateway_a/v1/${path}/${word}`, {
            headers: headersA,
          });
          expect(status).toBeLessThan(500);
        }
        for (const path of [`payments/${word}`, `payments?reference=${word}`, `payments/${word}/actions`]) {
          expect((await call('GET', `${b.processor}/${path}`, { headers: headersB })).status).toBeLessThan(
            500,
          );
        }
        for (const path of [
          `gateway_b/keys/${word}/apps/${word}`,
          `gateway_a/3ds/${word}/${word}`,
          `control/books?reference=${word}`,
        ]) {
          expect((await call('GET', `${sandbox.url}/${path}`)).status).toBeLessThan(500);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('the control side refuses hostile input with the reason', async () => {
    const value = fc.oneof(nasty, fc.jsonValue());
    const name = fc.constantFrom(
      'gateway',
      'operation',
      'fault',
      'times',
      'match',
      'ms',
      'name',
      'webhook_url',
      'url',
      'secret',
      'action',
      'value',
      'app',
    );
    const path = fc.constantFrom(
      'faults',
      'latency',
      'gateway_a/accounts',
      'gateway_x/accounts',
      'payments/pi_1/external',
      'gateway_b/encrypt',
    );
    await fc.assert(
      fc.asyncProperty(path, fc.dictionary(name, value), async (at, body) => {
        expect((await call('POST', `${sandbox.url}/control/${at}`, { body })).status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
    await tester.control('DELETE', 'faults');
  });
});

describe('control calls without sense', () => {
  it.each<[string, object, RegExp]>([
    ['faults', { gateway: 'gateway_x', operation: 'capture', fault: 'lose' }, /gateway/],
    ['faults', { gateway: 'gateway_a', operation: 'settle', fault: 'lose' }, /operation/],
    ['faults', { gateway: 'gateway_a', operation: 'capture', fault: 'explode' }, /fault/],
    ['faults', { gateway: 'gateway_a', operation: 'query', fault: 'duplicate' }, /no callbacks/],
    ['faults', { gateway: 'gateway_a', operation: 'capture', fault: 'lose', times: 0 }, /times/],
    ['latency', { gateway: 'gateway_a', ms: -1 }, /ms/],
    ['gateway_a/accounts', {}, /name/],
    ['gateway_a/accounts', { name: 'x', webhook_url: 'ftp://x' }, /webhook_url/],
  ])('a control call without sense is refused: %s %j', async (path, body, message) => {
    const answer = await call('POST', `${sandbox.url}/control/${path}`, { body });
    expect([answer.status, (answer.body as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });

  it('a control call for an unknown payment is a 404', async () => {
    expect(await call('POST', `${sandbox.url}/control/payments/pi_none/lapse`)).toMatchObject({
      status: 404,
    });
  });
});
