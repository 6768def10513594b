import { describe, expect, it } from '@jest/globals';
import type { PaymentOrder } from '@gp/gateway';
import { findCurrency, type Currency } from '@gp/money';
import { createRedsysAPI, SANDBOX_URLS } from 'redsys-easy';
import { credentials as shape, redsys } from './gateway.ts';
import type { Config } from './config.ts';
import type { Credentials } from './provider/credentials.ts';

const KEY = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const credentials: Credentials = {
  merchant_code: '999008881',
  terminal: '1',
  secret_key: KEY,
  return_url: '',
  signature_version: '',
};
const account = { merchantId: 'm', mode: 'test', version: 1, credentials } as const;
const gateway = redsys({
  gatewayTestUrl: 'https://sis-t.redsys.es:25443/sis',
  gatewayLiveUrl: 'https://sis.redsys.es/sis',
  publicUrl: 'https://pay.example/',
  port: 0,
} as Config);
const order: PaymentOrder = {
  mode: 'test',
  merchantId: 'm',
  groupId: '01a1fc1c-a92b-7b0a-87f5-000000000001',
  intentId: '01a1fc1c-a92b-7b0a-87f5-000000000002',
  attemptId: '01a1fc1c-a92b-7b0a-87f5-000000000003',
  amountMinor: 4_999n,
  currency: findCurrency('EUR') as Currency,
  pspReference: '0726qI3H7sZx',
  sandboxFault: null,
  description: 'Dinner at Casa Lola',
};
const call = { idempotencyKey: 'k', signal: new AbortController().signal };

async function prepareForm(own: Partial<Credentials> = {}) {
  const answer = await gateway.prepare(order, { ...account, credentials: { ...credentials, ...own } }, call);
  const form = answer.kind === 'prepared' ? answer.client.gateway_c_form : undefined;
  if (!form) throw new Error('no form');
  const packed = Buffer.from(form.body['Ds_MerchantParameters'] ?? '', 'base64').toString('utf8');
  return { ...form, parameters: JSON.parse(packed) as Record<string, string> };
}

describe('the order form', () => {
  it('the order form equals the form that a public client library of the gateway builds from the same parameters', async () => {
    const { url, body, parameters } = await prepareForm();
    const { createRedirectForm } = createRedsysAPI({ secretKey: KEY, urls: SANDBOX_URLS });
    const theirs = createRedirectForm(parameters as unknown as Parameters<typeof createRedirectForm>[0]);
    expect({ url, body }).toEqual({ url: theirs.url, body: theirs.body });
  });

  it('the order form requests a hold, names the payment, and returns the payer to us', async () => {
    const { parameters } = await prepareForm();
    expect(parameters).toMatchObject({
      DS_MERCHANT_ORDER: '0726qI3H7sZx',
      DS_MERCHANT_MERCHANTCODE: '999008881',
      DS_MERCHANT_TERMINAL: '1',
      DS_MERCHANT_TRANSACTIONTYPE: '1',
      DS_MERCHANT_AMOUNT: '4999',
      DS_MERCHANT_CURRENCY: '978',
      DS_MERCHANT_MERCHANTURL: 'https://pay.example/callbacks/gateway_c',
      DS_MERCHANT_URLOK: `https://pay.example/returns/gateway_c/${order.attemptId}`,
      DS_MERCHANT_URLKO: `https://pay.example/returns/gateway_c/${order.attemptId}`,
    });
    expect(new URLSearchParams(parameters['DS_MERCHANT_MERCHANTDATA']).get('attempt_id')).toBe(
      order.attemptId,
    );
  });

  it('the order form is signed with the newer version where the connection selects it', async () => {
    const { body } = await prepareForm({ signature_version: 'HMAC_SHA512_V2' });
    expect(body['Ds_SignatureVersion']).toBe('HMAC_SHA512_V2');
    expect(body['Ds_Signature']).toMatch(/^[A-Za-z0-9_-]{86}$/);
  });
});

describe('a connection', () => {
  const refused = (own: Partial<Credentials>, mode: 'test' | 'live' = 'test') =>
    shape.refuse({ ...credentials, ...own }, mode)?.param;

  it('a connection is accepted in the form in which the bank issues it', () =>
    expect(refused({})).toBeUndefined());

  it.each([
    ['merchant_code', '12345678'],
    ['merchant_code', 'ABC456789'],
    ['terminal', '1000'],
    ['secret_key', 'short'],
    ['signature_version', 'HMAC_SHA512_V1'],
    ['return_url', 'javascript:alert(1)'],
    ['return_url', 'http://shop.example/thanks'],
  ] as const)('a connection is refused with the %s %p', (field, value) =>
    expect(refused({ [field]: value })).toBe(field),
  );

  it('a connection is refused in live mode with the published key', () =>
    expect(refused({}, 'live')).toBe('secret_key'));

  it('a connection sends payers to https, and in test mode to a shop on the same machine (Q26)', () => {
    expect(refused({ return_url: 'https://shop.example/thanks/{id}' })).toBeUndefined();
    expect(refused({ return_url: 'http://localhost:3000/thanks' })).toBeUndefined();
    const live = { secret_key: 'A'.repeat(32), return_url: 'http://localhost:3000/thanks' };
    expect(refused(live, 'live')).toBe('return_url');
  });
});

it('a refund is refused without a call (E7)', async () => {
  const payment = { ...order, attemptId: 'a', pspReference: '1234' };
  expect(await gateway.refund(payment, account, call)).toMatchObject({
    kind: 'declined',
    failure: {
      message:
        "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard",
    },
  });
});

it.each([
  ['1', '001', true],
  ['1', '2', false],
])('terminals %s and %s see the same orders: %s', (one, other, isSame) =>
  expect(shape.isSameAccount?.({ ...credentials, terminal: one }, { ...credentials, terminal: other })).toBe(
    isSame,
  ),
);
