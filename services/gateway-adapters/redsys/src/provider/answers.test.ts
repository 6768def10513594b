import { describe, expect, it } from '@jest/globals';
import { mapLookUpReply, mapOperationReply } from './answers.ts';
import type { Credentials } from './credentials.ts';
import { sign } from './signature.ts';

const KEY = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const credentials: Credentials = {
  merchant_code: '123456789',
  terminal: '1',
  secret_key: KEY,
  return_url: '',
  signature_version: '',
};
const account = { merchantId: 'm', mode: 'test', version: 1, credentials } as const;
const order = '0726qI3H7sZx';
const about = { account, order };
const NOW = new Date('2026-11-20T12:00:00Z');

const result = (more: Record<string, string> = {}) => ({
  Ds_Amount: '1500',
  Ds_Currency: '978',
  Ds_Order: order,
  Ds_MerchantCode: '123456789',
  Ds_Terminal: '001',
  Ds_Response: '0900',
  Ds_TransactionType: '2',
  ...more,
});
const reply = (parameters: Record<string, string>, key = KEY) => ({
  status: 200,
  body: sign('HMAC_SHA256_V1', key, order, parameters),
});
const error = (errorCode: string) => ({ status: 200, body: { errorCode } });

describe('the answer to a confirmation', () => {
  it('the answer to a confirmation is a capture of the amount it names', () =>
    expect(mapOperationReply(reply(result()), '2', about)).toMatchObject({
      kind: 'approved',
      amountMinor: 1_500n,
      currency: 'EUR',
    }));

  it.each([
    ['signed with another key', reply(result(), 'Mk9m98IfEblmPfrpsawt7BmxObt98Jev')],
    ['about another order', reply(result({ Ds_Order: '0726' }))],
    ['about another merchant', reply(result({ Ds_MerchantCode: '1' }))],
    ['about another terminal', reply(result({ Ds_Terminal: '2' }))],
    ['about another operation', reply(result({ Ds_TransactionType: '9' }))],
    ['no answer of the gateway', { status: 200, body: { hello: 'world' } }],
    ['a failure', { status: 500, body: {} }],
    ['an unknown error', error('SIS9999')],
  ])('a confirmation answered %s leaves the outcome unknown (R5)', (_what, given) =>
    expect(mapOperationReply(given, '2', about).kind).toBe('unknown'),
  );

  it.each([
    ['SIS0060', 'conflict'],
    ['SIS0059', 'conflict'],
    ['SIS0061', 'conflict'],
    ['SIS0132', 'declined'],
    ['SIS0062', 'declined'],
    ['SIS0042', 'retryable'],
    ['SIS0026', 'retryable'],
    ['SIS0295', 'retryable'],
  ])('a confirmation answered %s means %s', (code, kind) =>
    expect(mapOperationReply(error(code), '2', about).kind).toBe(kind),
  );

  it('the answer to a confirmation marks a refused key, so that a newer one may be used', () => {
    const refused = { reason: 'SIS0042', isKeyRefused: true };
    expect(mapOperationReply(error('SIS0042'), '2', about)).toEqual({ kind: 'retryable', ...refused });
    expect(mapLookUpReply(error('SIS0042'), about, NOW)).toEqual({ kind: 'unknown', ...refused });
  });

  it('the answer to a confirmation is final when the card is refused, and leads to a query otherwise', () => {
    expect(mapOperationReply(reply(result({ Ds_Response: '0190' })), '2', about).kind).toBe('declined');
    expect(mapOperationReply(reply(result({ Ds_Response: '7777' })), '2', about).kind).toBe('conflict');
  });

  it('an answer that reports too many requests may be retried', () =>
    expect(mapOperationReply({ status: 429, body: {} }, '2', about).kind).toBe('retryable'));
});

describe('the answer to a cancellation', () => {
  it.each(['0400', '0481'])('a cancellation answered %s releases the hold', (Ds_Response) =>
    expect(mapOperationReply(reply(result({ Ds_Response, Ds_TransactionType: '9' })), '9', about).kind).toBe(
      'approved',
    ),
  );

  it.each(['SIS0222', 'SIS0530', 'SIS0531', 'SIS0223', 'SIS0225'])(
    'a cancellation answered %s leads to a query',
    (code) => expect(mapOperationReply(error(code), '9', about).kind).toBe('conflict'),
  );
});

describe('the answer to a look-up', () => {
  const operations = (...list: object[]) => ({
    status: 200,
    body: sign('HMAC_SHA512_V2', KEY, order, {
      ...result(),
      // The packed text is JSON: it holds a list like any other value.
      Ds_Operations: list as unknown as string,
    }),
  });
  const held = {
    ...result({ Ds_TransactionType: '1', Ds_Response: '0000' }),
    Ds_State: 'F',
    Ds_Date: '20/11/2026',
    Ds_Hour: '12:30',
  };

  it('the answer to a look-up returns a hold and its end', () =>
    expect(mapLookUpReply(operations(held), about, NOW)).toMatchObject({
      kind: 'found',
      truth: { status: 'authorised', amountMinor: 1_500n, captureBefore: new Date('2026-11-27T11:30:00Z') },
    }));

  it('a look-up finds no payment without an order, and while the payer has not acted', () => {
    expect(mapLookUpReply(error('XML0024'), about, NOW)).toEqual({ kind: 'absent' });
    const asked = { ...held, Ds_State: 'S', Ds_Response: '' };
    expect(mapLookUpReply(operations(asked), about, NOW)).toEqual({ kind: 'absent' });
  });

  it('a look-up leaves the payment unknown with another signature, or with an error', () => {
    const forged = { ...operations(held).body, Ds_Signature: 'AAAA' };
    expect(mapLookUpReply({ status: 200, body: forged }, about, NOW).kind).toBe('unknown');
    expect(mapLookUpReply(error('SIS0042'), about, NOW).kind).toBe('unknown');
  });
});
