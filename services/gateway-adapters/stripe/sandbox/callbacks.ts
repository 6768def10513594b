import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { type Callback, newId } from '@gp/psp-sandbox/kit';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { API_VERSION, buildCharge, buildPaymentIntent } from './wire.ts';

/** Events that only report progress; faults of callbacks apply to the others. */
const PROGRESS: readonly string[] = [
  'payment_intent.created',
  'payment_intent.requires_action',
  'payment_intent.processing',
];

/** Returns the connected account of an object; objects of the platform itself have none. */
const buildConnectedAccount = (scope: string): { account?: string } =>
  scope.startsWith('acct_') ? { account: scope } : {};

/** Returns an event about any object of the payment's account. */
export function buildEvent(p: PaymentA, type: string, object: object, at: Date): Callback {
  const id = newId('evt_');
  const body = {
    id,
    object: 'event',
    ...buildConnectedAccount(p.account),
    api_version: API_VERSION,
    created: toUnixSeconds(at),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } satisfies Omit<Stripe.EventBase, 'data' | 'type'> & { data: object; type: string };
  return { id, type, body, isOutcome: !PROGRESS.includes(type) };
}

/** Returns one event for each type, each with the object of its type in its current state. */
export function buildEvents(p: PaymentA, types: readonly string[], at: Date): Callback[] {
  return types.map((type) =>
    buildEvent(p, type, type.startsWith('charge.') ? buildCharge(p) : buildPaymentIntent(p), at),
  );
}

/** Returns the signature header: time and an HMAC over time and exact body, keyed with the whole secret text. */
export function signedHeaders(body: string, secret: string, at: Date): Record<string, string> {
  const t = toUnixSeconds(at);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { 'Stripe-Signature': `t=${t},v1=${v1}` };
}
