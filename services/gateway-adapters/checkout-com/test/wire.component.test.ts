import { expect, it } from '@jest/globals';
import type { GatewayAccount, Payment } from '@gp/gateway';
import { findCurrency, type Currency } from '@gp/money';
import { buildCall, readWire, recordWire, wireAccount, wirePayment, type RecordedRequest } from '@gp/testing';
import type { Config } from '../src/config.ts';
import { checkoutCom } from '../src/gateway.ts';
import type { Credentials } from '../src/provider/credentials.ts';

const account: GatewayAccount<Credentials> = {
  ...wireAccount,
  credentials: {
    team_id: 'team_1',
    app_id: 'app_1',
    relay_api_key: 'ev:key:1',
    processor_secret_key: 'sk_sbox_1',
    processing_channel_id: 'pc_1',
    webhook_secret: 'whsec_1',
  },
};
const payment: Payment = {
  ...wirePayment,
  currency: findCurrency('EUR') as Currency,
  pspReference: 'pay_1',
};
const unnamed = { ...payment, pspReference: null, sandboxFault: 'delay:5' };
const order = { ...unnamed, description: 'Dinner at Casa Lola, 1234ABCD' };
const card = {
  cardholder_name: 'Ada Lovelace',
  encrypted_card_number: 'ev:number:$',
  expiration_month: 12,
  expiration_year: 2030,
  encrypted_security_code: 'ev:code:$',
};

const authorised = {
  id: 'pay_1',
  status: 'Authorized',
  approved: true,
  amount: 4_999,
  currency: 'EUR',
  response_code: '10000',
  balances: { total_authorized: 4_999, total_captured: 0, total_refunded: 0 },
};

function answer({ path }: RecordedRequest): unknown {
  if (path.endsWith('/actions')) return [];
  if (path.includes('?reference=')) return { data: [{ id: 'pay_1' }], total_count: 1 };
  return authorised;
}

it('the adapter sends the bytes that were recorded for every operation', async () => {
  const recorded = await recordWire(answer, (url) => {
    const gateway = checkoutCom({
      gatewayTestUrl: url,
      relayTestUrl: url,
      gatewayLiveUrl: 'https://live.invalid',
      relayLiveUrl: 'https://live.invalid',
      publicUrl: 'https://pay.example/',
    } as Config);
    return {
      prepare: () => gateway.prepare(order, account, buildCall('test:1:prepare')),
      authorise: async () => gateway.authorise?.(unnamed, card, account, buildCall('test:1:authorise')),
      'authorise with 3-D Secure': async () =>
        gateway.authorise?.(
          { ...unnamed, canBeAuthenticated: true },
          card,
          account,
          buildCall('test:1:authorise'),
        ),
      capture: () => gateway.capture(payment, account, buildCall('test:1:capture:1')),
      void: () => gateway.void(payment, account, buildCall('test:1:void:1')),
      refund: () => gateway.refund(payment, account, buildCall('test:1:refund:1')),
      query: () => gateway.query(payment, account, buildCall('test:1:query')),
      'query by our reference': () => gateway.query(unnamed, account, buildCall('test:1:query')),
      verify: () => gateway.verify(account, buildCall('')),
    };
  });
  expect(recorded).toEqual(readWire(import.meta.url));
});
