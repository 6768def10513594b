import {
  credentialFields,
  toGatewayMinor,
  type GatewayAccount,
  type Answer,
  type Call,
  type CredentialShape,
  type CredentialsVerdict,
  type Payment,
  type PaymentGateway,
  type PaymentOrder,
  type PrepareAnswer,
  type QueryAnswer,
} from '@gp/gateway';
import type Stripe from 'stripe';
import { manifest } from '../manifest.ts';
import type { Config } from './config.ts';
import { amountRule } from './domain/amounts.ts';
import { deriveTruth } from './domain/truth.ts';
import { verifyCallback } from './provider/callback.ts';
import { openClients, buildRequestOptions, within, type Clients } from './provider/client.ts';
import type { Credentials } from './provider/credentials.ts';
import { mapError, mapPreparationError, parseProblem, mapQueryError } from './provider/answers.ts';
import {
  buildMetadata,
  toMinor,
  buildRefundMetadata,
  parseIntentView,
  wasDisputed,
} from './provider/wire.ts';

const LIVE_KEY = /^[rs]k_live_/;

const credentials: CredentialShape<Credentials> = {
  ...credentialFields(manifest),
  account: 'account_id',
  callbackSecret: 'webhook_secret',
  refuse({ account_id, secret_key }, mode) {
    if (!/^acct_\w+$/.test(account_id)) return { param: 'account_id', reason: 'must look like acct_…' };
    if (LIVE_KEY.test(secret_key) === (mode === 'live')) return undefined;
    return { param: 'secret_key', reason: `is not a key for ${mode} mode` };
  },
};

/** gateway_a: the payer authorises in the browser, the money is held on the merchant's connected account. */
export function stripe(config: Config): PaymentGateway<Credentials> {
  const clients = openClients({ test: config.gatewayTestUrl, live: config.gatewayLiveUrl });
  return {
    psp: manifest.code,
    credentials,
    amountRule,
    prepare: (order, account, call) => prepare(clients, order, account, call),
    capture: (payment, account, call) => capture(clients, payment, account, call),
    void: (payment, account, call) => cancel(clients, payment, account, call),
    refund: (payment, account, call) => refund(clients, payment, account, call),
    query: (payment, account, call) => query(clients, payment, account, call),
    verifyCallback,
    verify: (account, call) => verify(clients, account, call),
  };
}

/**
 * The gateway answers the account for which the key acts. It cannot check the webhook secret: callbacks are verified
 * with it, and no other merchant's.
 */
async function verify(
  clients: Clients,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<CredentialsVerdict<Credentials>> {
  const refused = {
    kind: 'invalid',
    param: 'secret_key',
    reason: 'is not accepted by the gateway for this account',
  } as const;
  try {
    const options = buildRequestOptions(account);
    const found = await within(call, clients[account.mode].accounts.retrieveCurrent({}, options));
    return found.id === account.credentials.account_id ? { kind: 'valid' } : refused;
  } catch (error) {
    return parseProblem(error).meaning === 'misconfigured' ? refused : { kind: 'unknown' };
  }
}

async function prepare(
  clients: Clients,
  order: PaymentOrder,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<PrepareAnswer> {
  const parameters: Stripe.PaymentIntentCreateParams = {
    amount: toWireAmount(order),
    currency: order.currency.code.toLowerCase(),
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
    description: order.description,
    metadata: buildMetadata(order),
  };
  try {
    const intents = clients[account.mode].paymentIntents;
    const intent = await within(
      call,
      intents.create(parameters, buildRequestOptions(account, call.idempotencyKey)),
    );
    if (intent.client_secret === null) return { kind: 'unknown', reason: 'no client secret' };
    const { account_id: gateway_a_account_id, publishable_key } = account.credentials;
    const client = { client_secret: intent.client_secret, gateway_a_account_id, publishable_key };
    return { kind: 'prepared', pspReference: intent.id, client };
  } catch (error) {
    return mapPreparationError(error);
  }
}

async function capture(
  clients: Clients,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<Answer> {
  try {
    const intents = clients[account.mode].paymentIntents;
    const parameters = { amount_to_capture: toWireAmount(payment) };
    const options = buildRequestOptions(account, call.idempotencyKey);
    const intent = await within(call, intents.capture(requireReference(payment), parameters, options));
    return intent.status === 'succeeded'
      ? approved(intent, intent.amount_received)
      : { kind: 'unknown', reason: intent.status };
  } catch (error) {
    return mapError(error);
  }
}

async function cancel(
  clients: Clients,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<Answer> {
  try {
    const intents = clients[account.mode].paymentIntents;
    const options = buildRequestOptions(account, call.idempotencyKey);
    const intent = await within(call, intents.cancel(requireReference(payment), {}, options));
    // Cancelling may be accepted first and take effect later.
    return intent.status === 'canceled' ? approved(intent, intent.amount) : { kind: 'accepted' };
  } catch (error) {
    return mapError(error);
  }
}

async function refund(
  clients: Clients,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<Answer> {
  try {
    const parameters = {
      payment_intent: requireReference(payment),
      amount: toWireAmount(payment),
      metadata: buildRefundMetadata(payment, call.idempotencyKey),
    };
    const { refunds } = clients[account.mode];
    const made = await within(
      call,
      refunds.create(parameters, buildRequestOptions(account, call.idempotencyKey)),
    );
    if (made.status !== 'succeeded') return { kind: 'accepted' };
    return {
      kind: 'approved',
      pspReference: requireReference(payment),
      amountMinor: toMinor(made.amount, made.currency),
      currency: made.currency.toUpperCase(),
      captureBefore: null,
    };
  } catch (error) {
    return mapError(error);
  }
}

async function query(
  clients: Clients,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<QueryAnswer> {
  // The gateway has no look-up by our own reference; the shared code finds the gateway's reference first.
  if (payment.pspReference === null) return { kind: 'unknown', reason: 'no reference' };
  try {
    const { paymentIntents, refunds, disputes } = clients[account.mode];
    const options = buildRequestOptions(account);
    const expand = { expand: ['latest_charge'] };
    const intent = await within(call, paymentIntents.retrieve(payment.pspReference, expand, options));
    const isCaptured = intent.status === 'succeeded';
    const all = { payment_intent: intent.id, limit: 100 };
    const found = isCaptured ? await within(call, refunds.list(all, options)) : { data: [] };
    const disputed = wasDisputed(intent) ? await within(call, disputes.list(all, options)) : { data: [] };
    return { kind: 'found', truth: deriveTruth(parseIntentView(intent, found.data, disputed.data)) };
  } catch (error) {
    return mapQueryError(error);
  }
}

function approved({ id, currency }: Stripe.PaymentIntent, amount: number): Answer {
  const amountMinor = toMinor(amount, currency);
  return {
    kind: 'approved',
    pspReference: id,
    amountMinor,
    currency: currency.toUpperCase(),
    captureBefore: null,
  };
}

/** Returns an amount that passed `refuseAmount` when the payment was prepared, in the gateway's units. */
function toWireAmount({ amountMinor, currency }: Pick<Payment, 'amountMinor' | 'currency'>): number {
  const rule = amountRule(currency);
  if (!rule) throw new Error(`${currency.code} is not taken by gateway_a`);
  return Number(toGatewayMinor(amountMinor, currency, rule));
}

function requireReference({ pspReference }: Payment): string {
  if (pspReference === null) throw new Error('this operation needs the reference of the gateway');
  return pspReference;
}
