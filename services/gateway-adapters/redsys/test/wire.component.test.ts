import { expect, it } from '@jest/globals';
import type { GatewayAccount, Payment } from '@gp/gateway';
import { findCurrency, type Currency } from '@gp/money';
import { buildCall, readWire, recordWire, wireAccount, wirePayment } from '@gp/testing';
import type { Config } from '../src/config.ts';
import { redsys } from '../src/gateway.ts';
import type { Credentials } from '../src/provider/credentials.ts';

const account: GatewayAccount<Credentials> = {
  ...wireAccount,
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
  ...wirePayment,
  currency: findCurrency('EUR') as Currency,
  pspReference: '0726qI3H7sZx',
};
const order = { ...payment, description: 'Dinner at Casa Lola, 1234ABCD', sandboxFault: 'delay:5' };

it('the adapter sends the bytes that were recorded for every operation', async () => {
  const recorded = await recordWire(
    () => ({ errorCode: 'SIS0222' }),
    (url) => {
      const gateway = redsys({
        gatewayTestUrl: `${url}/sis`,
        gatewayLiveUrl: 'https://live.invalid/sis',
        publicUrl: 'https://pay.example/',
      } as Config);
      const atFixedAddress = redsys({
        gatewayTestUrl: 'https://bank.example/sis',
        gatewayLiveUrl: 'https://live.invalid/sis',
        publicUrl: 'https://pay.example/',
      } as Config);
      return {
        prepare: () => atFixedAddress.prepare(order, account, buildCall('test:1:prepare')),
        'prepare with the newer signature': () =>
          atFixedAddress.prepare(order, newer, buildCall('test:1:prepare')),
        capture: () => gateway.capture(payment, account, buildCall('test:1:capture:1')),
        void: () => gateway.void(payment, newer, buildCall('test:1:void:1')),
        refund: () => gateway.refund(payment, account, buildCall('test:1:refund:1')),
        query: () => gateway.query(payment, account, buildCall('test:1:query')),
        verify: () => gateway.verify(account, buildCall('test:1:verify')),
      };
    },
  );
  expect(recorded).toEqual(readWire(import.meta.url));
});
