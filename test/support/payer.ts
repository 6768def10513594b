import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { ApiFailure, sendUntilAnswered, type MerchantApi, type Pay } from './api.ts';
import type { StackFile } from './stack.ts';

/** Cards of the sandbox; any future date and any code will do. */
export const cards = {
  approved: '4242424242424242',
  authenticated: '4000002760003184',
  declined: '4000000000000002',
} as const;

export type Payer = { readonly email: string; readonly name: string; readonly card: string };

/** Pays as a browser would, by whichever gateway the payment began with. Resolves when the gateway said yes. */
export async function authorise(
  stack: StackFile,
  api: MerchantApi,
  groupId: string,
  pay: Pay,
  payer: Payer,
): Promise<void> {
  if (pay.psp_code === 'gateway_a') return confirmInBrowser(stack, pay, payer.card);
  if (pay.psp_code === 'gateway_c') return comeBack(await payAtBank(pay, payer.card));
  await confirmThroughApi(stack, api, groupId, pay, payer);
}

const GIVE_UP_MS = 30_000;

/** gateway_a: the browser library posts the card, then the payer answers the bank's page where there is one. */
async function confirmInBrowser(stack: StackFile, pay: Pay, card: string): Promise<void> {
  const page = await postCard(stack, pay, card);
  if (page !== undefined) await answerBank(page, 'authenticated');
}

/** gateway_a: posts the card as the browser library does; answers the bank's page when the bank wants to ask. */
export async function postCard(stack: StackFile, pay: Pay, card: string): Promise<string | undefined> {
  const intentId = String(pay.client_secret).split('_secret_')[0] ?? '';
  const form = new URLSearchParams({
    key: String(pay.publishable_key),
    client_secret: String(pay.client_secret),
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
    'payment_method_data[card][cvc]': '123',
  });
  const headers = { 'stripe-account': String(pay.gateway_a_account_id) };
  const url = `${stack.sandbox}/gateway_a/v1/payment_intents/${intentId}/confirm`;
  const intent = (await postForm(url, form, headers)) as {
    status?: string;
    next_action?: { redirect_to_url?: { url?: string } };
  };
  return intent.status === 'requires_action' ? intent.next_action?.redirect_to_url?.url : undefined;
}

/** Fills in the bank's page. */
export async function answerBank(page: string, result: 'authenticated' | 'failed'): Promise<void> {
  await postForm(page, new URLSearchParams({ result }));
}

async function postForm(
  url: string,
  form: URLSearchParams,
  headers: Record<string, string> = {},
): Promise<unknown> {
  let isInDoubt = false;
  for (const giveUpAt = Date.now() + GIVE_UP_MS; ; await delay(200)) {
    const answer = await post(url, form, headers).catch(() => undefined);
    if (answer && answer.status < 500) {
      const { status, text } = answer;
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
      if (status < 400) return body;
      const done = isInDoubt ? whatWasDone(status, body) : undefined;
      if (done) return done;
      throw new ApiFailure(`POST ${url}`, { status, headers: answer.headers, body: { text } });
    }
    isInDoubt = true;
    if (Date.now() > giveUpAt) throw new TimeoutError(`POST ${url} did not answer`);
  }
}

async function post(url: string, body: URLSearchParams, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What a refusal says of an earlier try whose answer was lost: the question is closed, the payment is where it went. */
function whatWasDone(status: number, body: unknown): unknown {
  if (status === 410) return {};
  const { error } = body as { error?: { code?: string; payment_intent?: object } };
  return error?.code === 'payment_intent_unexpected_state' ? error.payment_intent : undefined;
}

/**
 * gateway_c: the browser posts the form to the bank, the payer fills in the bank's pages. Answers where the bank sends
 * him then; nowhere (null) when its answer was lost and the payment turned out to be over.
 */
export async function payAtBank(pay: Pay, card: string, code = '123456'): Promise<string | null> {
  const { url, body } = pay.gateway_c_form ?? { url: '', body: {} };
  const cardPage = await postPage(url, body);
  if (cardPage.status >= 400) throw new Error(`the bank refuses the form with ${cardPage.status}`);
  const fields = { card_number: card, expiry_month: '12', expiry_year: '2034', cvv: '123', pay: 'pay' };
  const next = await postPage(actionOf(cardPage.text), fields);
  if (next.location !== null || next.status >= 400) return next.location;
  return (await postPage(actionOf(next.text), { code })).location;
}

/** The payer's browser goes where the bank sent it, however often that takes; answers where it is sent on to. */
export async function comeBack(address: string | null): Promise<void> {
  for (const giveUpAt = Date.now() + GIVE_UP_MS; address !== null; await delay(200)) {
    const response = await fetch(address, { redirect: 'manual' }).catch(() => undefined);
    await response?.body?.cancel();
    if (response && response.status < 500) return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`GET ${address} did not answer`);
  }
}

const actionOf = (page: string): string => /<form method="post" action="([^"]+)">/.exec(page)?.[1] ?? '';

async function postPage(url: string, fields: Readonly<Record<string, string>>) {
  for (const giveUpAt = Date.now() + GIVE_UP_MS; ; await delay(200)) {
    const answer = await post(url, new URLSearchParams(fields)).catch(() => undefined);
    if (answer && answer.status < 500)
      return { status: answer.status, text: answer.text, location: answer.headers.get('location') };
    if (Date.now() > giveUpAt) throw new TimeoutError(`POST ${url} did not answer`);
  }
}

/** gateway_b: the card field encrypts, the server confirms. */
async function confirmThroughApi(
  stack: StackFile,
  api: MerchantApi,
  groupId: string,
  pay: Pay,
  payer: Payer,
): Promise<void> {
  await api.confirm(groupId, await confirmationOf(stack, pay, payer));
}

/** gateway_b: the body of a confirm, its card encrypted as the card field does it. */
export async function confirmationOf(stack: StackFile, pay: Pay, payer: Payer) {
  const encrypt = async (value: string) => {
    const url = `${stack.sandbox}/control/gateway_b/encrypt`;
    const answer = await sendUntilAnswered('POST', url, { value, app: pay.card_field_app_id });
    return String(answer.body['encrypted']);
  };
  return {
    payment_intent_id: pay.payment_intent_id,
    card: {
      cardholder_name: payer.name,
      encrypted_card_number: await encrypt(payer.card),
      expiration_month: 12,
      expiration_year: 2034,
      encrypted_security_code: await encrypt('123'),
    },
  };
}
