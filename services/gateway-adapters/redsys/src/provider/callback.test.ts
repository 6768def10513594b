import { describe, expect, it } from '@jest/globals';
import type { FindSigners } from '@gp/gateway';
import { verifyCallback, verifyReturn } from './callback.ts';
import type { Credentials } from './credentials.ts';
import { sign, type SignatureVersion } from './signature.ts';

const KEY = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const ATTEMPT = '01a1fc1c-a92b-7b0a-87f5-3eff6de2f807';
const credentials: Credentials = {
  merchant_code: '123456789',
  terminal: '1',
  secret_key: KEY,
  return_url: '',
  signature_version: '',
};
const account = { merchantId: 'm', mode: 'test', version: 1, credentials } as const;
const sharer = { ...account, merchantId: 'n' };
const elsewhere = { ...account, merchantId: 'o', credentials: { ...credentials, terminal: '2' } };
const findSigners: FindSigners<Credentials> = ({ account: name }, isSigner) =>
  Promise.resolve(
    [account, sharer, elsewhere].filter(
      (one) => name === '123456789' && isSigner(one.credentials.secret_key),
    ),
  );

/** Values are encoded for URLs inside the packed text, as in redirections. */
const told = (more: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries({
      Ds_Date: '20/11/2026',
      Ds_Order: '0726qI3H7sZx',
      Ds_MerchantCode: '123456789',
      Ds_Terminal: '001',
      Ds_Response: '0000',
      Ds_TransactionType: '1',
      Ds_MerchantData: `payment_intent_id=x&attempt_id=${ATTEMPT}`,
      Ds_Control_1701369476768: '1701369476768',
      ...more,
    }).map(([name, value]) => [name, encodeURIComponent(value)]),
  );

const signed = (
  o: { more?: Record<string, string>; key?: string; order?: string; version?: SignatureVersion } = {},
) => sign(o.version ?? 'HMAC_SHA256_V1', o.key ?? KEY, o.order ?? '0726qI3H7sZx', told(o.more));

const receive = (fields: Record<string, string>) =>
  verifyCallback(
    { body: Buffer.from(new URLSearchParams(fields).toString()), headers: {}, receivedAt: new Date() },
    findSigners,
  );

describe('a notification of gateway_c', () => {
  it.each(['HMAC_SHA256_V1', 'HMAC_SHA512_V2'] as const)(
    'a notification of gateway_c is accepted when signed with %s',
    async (version) =>
      expect(await receive(signed({ version }))).toMatchObject({
        kind: 'verified',
        signers: [account, sharer],
        pspReference: '0726qI3H7sZx',
        attemptId: ATTEMPT,
        eventType: 'type 1',
        isDisputed: null,
      }),
  );

  it('a notification is the same event when it comes again, and another one with other content (B3)', async () => {
    const eventId = async (more: Record<string, string>): Promise<string> => {
      const found = await receive(signed({ more }));
      return found.kind === 'verified' ? found.eventId : found.kind;
    };
    expect(await eventId({})).toMatch(/^[0-9a-f]{64}$/);
    expect(await eventId({})).toBe(await eventId({}));
    expect(await eventId({ Ds_Response: '0190' })).not.toBe(await eventId({}));
  });

  it.each([
    ['another key', signed({ key: 'Mk9m98IfEblmPfrpsawt7BmxObt98Jev' })],
    ['the signature of another order', signed({ order: '0000' })],
    ['another merchant', signed({ more: { Ds_MerchantCode: '987654321' } })],
    ['another terminal', signed({ more: { Ds_Terminal: '003' } })],
    ['an unknown version', { ...signed(), Ds_SignatureVersion: 'HMAC_SHA512_V1' }],
    [
      'altered parameters',
      { ...signed(), Ds_MerchantParameters: signed({ more: { Ds_Response: '0190' } }).Ds_MerchantParameters },
    ],
    ['no signature', { ...signed(), Ds_Signature: '' }],
    ['parameters that are none', { ...signed(), Ds_MerchantParameters: 'bm8=' }],
    ['nothing in it', {}],
  ])('a notification of gateway_c with %s is a forgery (B5)', async (_what, fields) =>
    expect(await receive(fields as Record<string, string>)).toMatchObject({ kind: 'forged' }),
  );

  it("a notification of the merchant's own sales over the same terminal is ignored", async () =>
    expect(await receive(signed({ more: { Ds_MerchantData: 'cart 17' } }))).toEqual({ kind: 'irrelevant' }));
});

describe('a browser that comes back', () => {
  it('a returning browser may carry the same parameters, and is then the same event (B6)', async () => {
    const notified = await receive(signed());
    const returned = await verifyReturn(new URLSearchParams(signed()), findSigners);
    expect(returned).toEqual(notified);
  });

  it('a returning browser is read although its plus signs became spaces', async () => {
    const query = new URLSearchParams(new URLSearchParams(signed()).toString().replaceAll('%2B', '+'));
    expect(await verifyReturn(query, findSigners)).toMatchObject({ kind: 'verified' });
  });

  it('a returning browser without parameters proves nothing, and a forged one is refused', async () => {
    expect(await verifyReturn(new URLSearchParams('a=b'), findSigners)).toEqual({ kind: 'bare' });
    const forged = { ...signed(), Ds_Signature: 'AAAA' };
    expect(await verifyReturn(new URLSearchParams(forged), findSigners)).toMatchObject({ kind: 'forged' });
  });
});
