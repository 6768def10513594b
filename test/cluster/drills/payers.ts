import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clients } from './clients.ts';

/** A group of two slots that payers worked on. */
export type PaidGroup = {
  readonly id: string;
  readonly payments: readonly string[];
  /** State when the payers left. */
  readonly state: string;
  /** How long it took, without what the second payer waited. */
  readonly ms: number;
};
export const SLOTS = 2;
export const SHARE_MINOR = 1_000;

type Json = Readonly<Record<string, unknown>>;
type Group = {
  readonly group_payment: { readonly id: string; readonly state: string };
  readonly payment_slots: readonly { readonly id: string }[];
};
type Pay = {
  readonly payment_intent_id: string;
  readonly client_secret: string;
  readonly publishable_key: string;
  readonly gateway_a_account_id: string;
};

const PAID_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 300;

export type Hosts = { readonly api: string; readonly sandbox: string };

/**
 * Creates a group of two slots, pays both as two browsers would, the second `friendAfterMs` later, and waits until it is paid;
 * repeats what fails. Resolves with the group as it is when it is paid or two minutes are over; rejects at a refusal.
 */
export async function payGroup(
  clients: Clients,
  hosts: Hosts,
  { apiKey, friendAfterMs }: { readonly apiKey: string; readonly friendAfterMs: number },
): Promise<PaidGroup> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ask = <T>(method: 'GET' | 'POST', path: string, body?: Json) =>
    clients.untilDone<T>({
      method,
      origin: hosts.api,
      path: `/v1/group-payments${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  const group = await ask<Group>('POST', '', newGroup());
  const { id } = group.group_payment;
  const payments: string[] = [];
  for (const [index, slot] of group.payment_slots.entries()) {
    if (index > 0) await delay(friendAfterMs);
    const pay = await ask<Pay>('POST', `/${id}/pay`, {
      customer_email: `payer${index}@payers.example`,
      customer_name: `Payer ${index}`,
      slot_ids: [slot.id],
    });
    payments.push(pay.payment_intent_id);
    await postCard(hosts.sandbox, pay);
  }
  for (const giveUpAt = Date.now() + PAID_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const { state } = (await ask<Group>('GET', `/${id}`)).group_payment;
    if (state === 'paid' || Date.now() > giveUpAt)
      return { id, payments, state, ms: performance.now() - startedAt - friendAfterMs };
  }
}

export function newGroup(): Json {
  return {
    group_name: 'Drill',
    total_amount: (SLOTS * SHARE_MINOR) / 100,
    currency: 'EUR',
    expires_at: new Date(Date.now() + 60 * 60 * 1_000).toISOString(),
    distribution: { type: 'equally', number_of_slots: SLOTS },
  };
}

/**
 * Posts a card to the gateway as the library in a payer's browser does. The gateway is no part of the platform: what it
 * fails to answer is repeated and not counted, and a repeat of what it did is refused, which is an answer too.
 */
async function postCard(sandbox: string, pay: Pay): Promise<void> {
  const [intent] = pay.client_secret.split('_secret_');
  const url = `${sandbox}/gateway_a/v1/payment_intents/${intent}/confirm`;
  const body = new URLSearchParams({
    key: pay.publishable_key,
    client_secret: pay.client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getUTCFullYear() + 5),
    'payment_method_data[card][cvc]': '123',
  });
  const headers = { 'stripe-account': pay.gateway_a_account_id };
  for (const giveUpAt = Date.now() + PAID_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const given = { method: 'POST', body, headers, signal: AbortSignal.timeout(20_000) };
    const status = await fetch(url, given).then(
      (response) => response.status,
      () => 0,
    );
    if (status > 0 && status < 500) return;
    if (Date.now() > giveUpAt) throw new Error(`the gateway does not answer: ${status}`);
  }
}
