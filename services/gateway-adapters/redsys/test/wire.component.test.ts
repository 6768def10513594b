import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Account, Payment } from '@gp/gateway';
import { findCurrency, type Currency } from '@gp/money';
import { openRecordingServer, recordSteps, type RecordingServer } from '@gp/testing';
import type { Config } from '../src/config.ts';
import { redsys } from '../src/gateway.ts';
import type { Credentials } from '../src/provider/credentials.ts';

const golden: unknown = JSON.parse(readFileSync(new URL('./wire.json', import.meta.url), 'utf8'));

const account: Account<Credentials> = {
  merchantId: 'm1',
  mode: 'test',
  version: 1,
  credentials: {
    merchant_code: '999008881',
    terminal: '1',
    secret_key: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
    return_url: '',
    signature_version: '',
  },
};
const newer = { ...account, credentials: { ...account.credentials, signature_version: 'HMAC_SHA512_V2' } };
const payment: Payment = {
  mode: 'test',
  merchantId: 'm1',
  groupId: '01a1fc1c-a92b-7b0a-87f5-000000000001',
  intentId: '01a1fc1c-a92b-7b0a-87f5-000000000002',
  attemptId: '01a1fc1c-a92b-7b0a-87f5-000000000003',
  amountMinor: 4_999n,
  currency: findCurrency('EUR') as Currency,
  pspReference: '0726qI3H7sZx',
  sandboxFault: null,
};
const order = { ...payment, description: 'Dinner at Casa Lola, 1234ABCD', sandboxFault: 'delay:5' };
const buildCall = (idempotencyKey: string) => ({ idempotencyKey, signal: new AbortController().signal });

let server: RecordingServer;
beforeAll(async () => (server = await openRecordingServer(() => ({ errorCode: 'SIS0222' }))));
afterAll(() => server.close());

it('sends the bytes that were recorded for every operation', async () => {
  const gateway = redsys({
    gatewayTestUrl: `${server.url}/sis`,
    gatewayLiveUrl: 'https://live.invalid/sis',
    publicUrl: 'https://pay.example/',
  } as Config);
  const atFixedAddress = redsys({
    gatewayTestUrl: 'https://bank.example/sis',
    gatewayLiveUrl: 'https://live.invalid/sis',
    publicUrl: 'https://pay.example/',
  } as Config);
  const recorded = await recordSteps(server, {
    prepare: () => atFixedAddress.prepare(order, account, buildCall('test:1:prepare')),
    'prepare with the newer signature': () =>
      atFixedAddress.prepare(order, newer, buildCall('test:1:prepare')),
    capture: () => gateway.capture(payment, account, buildCall('test:1:capture:1')),
    void: () => gateway.void(payment, newer, buildCall('test:1:void:1')),
    refund: () => gateway.refund(payment, account, buildCall('test:1:refund:1')),
    query: () => gateway.query(payment, account, buildCall('test:1:query')),
    verify: () => gateway.verify(account, buildCall('test:1:verify')),
  });
  expect(recorded).toEqual(golden);
});
