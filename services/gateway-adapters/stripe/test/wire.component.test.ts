import { expect, it } from '@jest/globals';
import type { GatewayAccount, Payment } from '@gp/gateway';
import { findCurrency, type Currency } from '@gp/money';
import { buildCall, readWire, recordWire, wireAccount, wirePayment, type RecordedRequest } from '@gp/testing';
import type { Config } from '../src/config.ts';
import { stripe } from '../src/gateway.ts';
import type { Credentials } from '../src/provider/credentials.ts';

const account: GatewayAccount<Credentials> = {
  ...wireAccount,
  credentials: {
    account_id: 'acct_1',
    secret_key: 'sk_test_1',
    publishable_key: 'pk_test_1',
    webhook_secret: 'whsec_1',
  },
};
const payment: Payment = {
  ...wirePayment,
  currency: findCurrency('EUR') as Currency,
  pspReference: 'pi_1',
};
const order = {
  ...payment,
  pspReference: null,
  description: 'Dinner at Casa Lola, 1234ABCD',
  sandboxFault: 'delay:5',
};

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  client_secret: 'pi_1_secret_1',
  status: 'succeeded',
  amount: 4_999,
  amount_capturable: 0,
  amount_received: 4_999,
  currency: 'eur',
  latest_charge: null,
  last_payment_error: null,
  cancellation_reason: null,
};
const refund = {
  id: 're_1',
  object: 'refund',
  amount: 4_999,
  currency: 'eur',
  status: 'succeeded',
  metadata: {},
};

function answer({ method, path }: RecordedRequest): unknown {
  if (path === '/v1/account') return { id: 'acct_1', object: 'account' };
  if (path.endsWith('/cancel')) return { ...intent, status: 'canceled' };
  if (!path.startsWith('/v1/refunds')) return intent;
  return method === 'POST' ? refund : { object: 'list', data: [refund], has_more: false };
}

it('the adapter sends the bytes that were recorded for every operation', async () => {
  const recorded = await recordWire(answer, (url) => {
    const gateway = stripe({ gatewayTestUrl: url, gatewayLiveUrl: 'https://live.invalid' } as Config);
    return {
      prepare: () => gateway.prepare(order, account, buildCall('test:1:prepare')),
      capture: () => gateway.capture(payment, account, buildCall('test:1:capture:1')),
      void: () => gateway.void(payment, account, buildCall('test:1:void:1')),
      refund: () => gateway.refund(payment, account, buildCall('test:1:refund:1')),
      query: () => gateway.query(payment, account, buildCall('test:1:query')),
      verify: () => gateway.verify(account, buildCall('test:1:verify')),
    };
  });
  expect(recorded).toEqual(readWire(import.meta.url));
});
