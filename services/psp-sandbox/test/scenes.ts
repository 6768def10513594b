import { uuidv7 } from 'uuidv7';
import {
  confirmInBrowser,
  createIntent,
  heldIntent,
  type MerchantA,
} from '../../gateway-adapters/stripe/test/merchant.ts';
import {
  bearer,
  heldPayment,
  paymentBody,
  step,
  type MerchantB,
} from '../../gateway-adapters/checkout-com/test/merchant.ts';
import type { Sandbox } from './sandbox.ts';
import { call, type Answer, type Page, type Tester } from './tester.ts';

export type Operation = 'prepare' | 'authorise' | 'capture' | 'void' | 'refund' | 'query';

/** One operation on a payment that is ready for it. */
export type Scene = {
  readonly gateway: 'gateway_a' | 'gateway_b';
  readonly intent: string;
  run(signal?: AbortSignal): Promise<Answer & { text: string }>;
  /** Whether the operation has happened, as the books show it. */
  isDone(page: Page | undefined): boolean;
};

const DONE: Readonly<Record<Operation, (page: Page | undefined) => boolean>> = {
  prepare: (page) => page !== undefined,
  authorise: (page) => page?.status === 'authorised',
  capture: (page) => page?.status === 'captured',
  void: (page) => page?.status === 'voided',
  refund: (page) => page?.status === 'refunded',
  query: () => true,
};

export async function sceneA(sandbox: Sandbox, merchant: MerchantA, operation: Operation): Promise<Scene> {
  const intent = uuidv7();
  const { secret_key, account_id } = merchant.credentials;
  const headers = { Authorization: `Bearer ${secret_key}`, 'Stripe-Account': account_id };
  const base = `${sandbox.url}/gateway_a/v1`;
  const send = (path: string, fields: Record<string, string>) => (signal?: AbortSignal) =>
    call('POST', `${base}/${path}`, { body: new URLSearchParams(fields), headers, signal });
  const scene = (run: Scene['run']): Scene => ({
    gateway: 'gateway_a',
    intent,
    run,
    isDone: DONE[operation],
  });
  if (operation === 'prepare') {
    const fields = { amount: '1500', currency: 'eur', capture_method: 'manual' };
    return scene(send('payment_intents', { ...fields, 'metadata[payment_intent_id]': intent }));
  }
  if (operation === 'authorise') {
    const made = await createIntent(merchant, { intent });
    return scene((signal) => confirmInBrowser(merchant, sandbox, made, '4242424242424242', {}, signal));
  }
  const { id } = await heldIntent(merchant, sandbox, { intent });
  if (operation === 'capture') return scene(send(`payment_intents/${id}/capture`, {}));
  if (operation === 'void') return scene(send(`payment_intents/${id}/cancel`, {}));
  if (operation === 'query') {
    return scene((signal) => call('GET', `${base}/payment_intents/${id}`, { headers, signal }));
  }
  await merchant.stripe.paymentIntents.capture(id);
  return scene(send('refunds', { payment_intent: id }));
}

export async function sceneB(
  merchant: MerchantB,
  tester: Tester,
  operation: Exclude<Operation, 'prepare'>,
): Promise<Scene> {
  const intent = uuidv7();
  const scene = (run: Scene['run']): Scene => ({
    gateway: 'gateway_b',
    intent,
    run,
    isDone: DONE[operation],
  });
  if (operation === 'authorise') {
    const body = paymentBody({ intent });
    const url = `${merchant.processor}/payments`;
    return scene((signal) => call('POST', url, { body, headers: bearer(merchant), signal }));
  }
  const id = await heldPayment(merchant, { intent });
  const url = `${merchant.processor}/payments/${id}`;
  if (operation === 'query')
    return scene((signal) => call('GET', url, { headers: bearer(merchant), signal }));
  if (operation === 'refund') {
    await step(merchant, id, 'captures');
    await tester.becomes(id, 'captured');
  }
  const path = { capture: 'captures', void: 'voids', refund: 'refunds' }[operation];
  return scene((signal) => call('POST', `${url}/${path}`, { body: {}, headers: bearer(merchant), signal }));
}
