import { expect } from '@jest/globals';
import { openEndpoint } from '../support/endpoint.ts';
import { newGroup, openApi, payer } from '../support/journey.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';
import type { Result, Task } from './programs/pay-group.ts';

/** Pays one group, so that there is a genuine webhook and a card that the merchant's gateway encrypted. */
export async function prepareTask(stack: StackFile): Promise<Task> {
  const merchant = findMerchant(stack, 'gateway_b');
  const api = openApi(stack, merchant);
  const endpoint = await openEndpoint();
  try {
    const { id: hook, secret } = await api.createWebhook(endpoint.url);
    const group = await newGroup(api, 1);
    const { id } = group.group_payment;
    const who = payer('first');
    const started = await api.pay(id, { customer_email: who.email });
    const confirmation = await buildConfirmRequest(stack, started, who);
    await api.confirm(id, confirmation);
    const { raw, headers } = await endpoint.accepted('group_payment.paid', id);
    await api.client.deleteWebhook(hook);
    const signature = String(headers['service-signature']);
    const delivery = { rawBody: raw, signature, secret };
    return { baseUrl: stack.api, key: merchant.test_key, card: confirmation.card, delivery };
  } finally {
    await endpoint.close();
  }
}

export function expectPaid(result: Result): void {
  expect(result).toEqual({
    state: 'paid',
    event: 'group_payment.paid',
    eventState: 'paid',
    forged: 'no signature fits the body and the secret',
    refusal: 'group_not_payable',
  });
}
