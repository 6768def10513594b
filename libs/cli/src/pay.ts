import type { Client, PayResponse } from '@group-payments/client';
import type { Account } from './account.ts';
import { CommandFailure } from './failure.ts';
import { pause, type Shell } from './shell.ts';

/** How a payer pays in the sandbox. */
export type Payer = { readonly email: string; readonly name: string; readonly card: string };

/** Cards of the sandbox, by the names that the command line knows. */
export const CARDS: Readonly<Record<string, string>> = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  authenticated: '4000002760003184',
};

const EXPIRY = { month: '12', year: '2034', code: '123' };
/** The code that the bank of the sandbox takes for right. */
const BANK_CODE = '123456';

/** The ledger has heard of a hold a moment after the gateway placed it. */
const HELD_WITHIN_MS = 20_000;
/** A payment that stays failed for so long was declined; a new try shows the failure of the one before at first. */
const FAILED_FOR_MS = 2_000;
const HELD: readonly string[] = ['preauthorised', 'capture_pending', 'captured', 'capture_failed'];

/**
 * Starts a payment of these slots (all that are unassigned where none are named), authorises the card as a payer's browser
 * would, and waits until the payment is held. Rejects with a CommandFailure when the card is declined.
 */
export async function paySlots(
  shell: Pick<Shell, 'signal'>,
  account: Account,
  o: { readonly groupId: string; readonly payer: Payer; readonly slotIds?: readonly string[] | undefined },
): Promise<PayResponse> {
  const { groupId, payer, slotIds } = o;
  const payment = await account.client.payGroupPayment(groupId, {
    customer_email: payer.email,
    customer_name: payer.name,
    ...(slotIds && { slot_ids: slotIds }),
  });
  await authorise(account, groupId, payment, payer);
  await waitUntilHeld(shell, account.client, payment.payment_intent_id, groupId);
  return payment;
}

async function waitUntilHeld(
  shell: Pick<Shell, 'signal'>,
  client: Client,
  paymentId: string,
  groupId: string,
): Promise<void> {
  let failedSince: number | undefined;
  for (const giveUpAt = Date.now() + HELD_WITHIN_MS; ; await pause(shell, 200)) {
    const { payments } = await client.listPayments(groupId, { limit: 100 });
    const found = payments.find(({ payment_intent_id }) => payment_intent_id === paymentId);
    if (found && HELD.includes(found.state)) return;
    failedSince = found?.state === 'failed' ? (failedSince ?? Date.now()) : undefined;
    if (failedSince !== undefined && Date.now() - failedSince > FAILED_FOR_MS)
      throw declined(found?.failure?.message);
    if (Date.now() > giveUpAt || shell.signal.aborted)
      throw new CommandFailure(
        'The gateway has not told yet whether the payment is held; `gp payments show` will.',
      );
  }
}

async function authorise(
  { client, sandbox }: Account,
  groupId: string,
  payment: PayResponse,
  payer: Payer,
): Promise<void> {
  switch (payment.psp_code) {
    case 'gateway_a':
      return confirmInBrowser(needSandbox(sandbox), payment, payer);
    case 'gateway_b':
      return confirmCard(client, groupId, { payment, payer, sandbox: needSandbox(sandbox) });
    case 'gateway_c':
      return payAtBank(payment, payer);
    default:
      throw new CommandFailure('This gateway is unknown here; open the checkout page instead.');
  }
}

function needSandbox(sandbox: string | undefined): string {
  if (sandbox !== undefined) return sandbox;
  throw new CommandFailure(
    'Where is the sandbox? Name it with `gp login --sandbox <address>` or GROUP_PAYMENTS_SANDBOX_URL, or open the checkout page.',
  );
}

/** The gateway's browser library posts the card; a card that needs it is authenticated on the bank's page. */
async function confirmInBrowser(
  sandbox: string,
  payment: Extract<PayResponse, { psp_code: 'gateway_a' }>,
  { card }: Payer,
): Promise<void> {
  const { client_secret, publishable_key, gateway_a_account_id } = payment;
  const id = client_secret.split('_secret_')[0] ?? '';
  const answer = await postForm(
    `${sandbox}/gateway_a/v1/payment_intents/${id}/confirm`,
    {
      key: publishable_key,
      client_secret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card,
      'payment_method_data[card][exp_month]': EXPIRY.month,
      'payment_method_data[card][exp_year]': EXPIRY.year,
      'payment_method_data[card][cvc]': EXPIRY.code,
    },
    { 'stripe-account': gateway_a_account_id },
  );
  const { error, status, next_action } = parse(answer.text) as {
    error?: { message?: string };
    status?: string;
    next_action?: { redirect_to_url?: { url?: string } } | null;
  };
  if (error || answer.status >= 400) throw declined(error?.message);
  const page = status === 'requires_action' ? next_action?.redirect_to_url?.url : undefined;
  if (page !== undefined) await postForm(page, { result: 'authenticated' });
}

/** The card field encrypts the card, and the API confirms it. */
async function confirmCard(
  client: Client,
  groupId: string,
  o: { payment: Extract<PayResponse, { psp_code: 'gateway_b' }>; payer: Payer; sandbox: string },
): Promise<void> {
  const { payment, payer, sandbox } = o;
  const encrypt = async (value: string): Promise<string> => {
    const answer = await send(`${sandbox}/control/gateway_b/encrypt`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ app: payment.card_field_app_id, value }),
    });
    const { encrypted } = parse(answer.text) as { encrypted?: string };
    if (encrypted !== undefined) return encrypted;
    throw new CommandFailure(
      `The sandbox at ${sandbox} encrypts no card for this machine (${answer.status}); open the checkout page instead.`,
    );
  };
  await client.confirmPayment(groupId, {
    payment_intent_id: payment.payment_intent_id,
    card: {
      cardholder_name: payer.name,
      encrypted_card_number: await encrypt(payer.card),
      expiration_month: Number(EXPIRY.month),
      expiration_year: Number(EXPIRY.year),
      encrypted_security_code: await encrypt(EXPIRY.code),
    },
  });
}

/** The payer types the card into the bank's page, and a code into the next one where the bank asks for it. */
async function payAtBank(
  { gateway_c_form: form }: Extract<PayResponse, { psp_code: 'gateway_c' }>,
  { card }: Payer,
): Promise<void> {
  const cardPage = await postForm(form.url, form.body);
  const typed = {
    card_number: card,
    expiry_month: EXPIRY.month,
    expiry_year: EXPIRY.year,
    cvv: EXPIRY.code,
    pay: 'pay',
  };
  const next = await postForm(findAction(cardPage), typed);
  const last = next.location === null ? await postForm(findAction(next), { code: BANK_CODE }) : next;
  if (last.location === null) throw declined(undefined);
  // The bank sends the browser to an address of the platform, which learns the result from it.
  const back = await fetch(last.location, { redirect: 'manual' });
  await back.body?.cancel();
}

type Page = { readonly status: number; readonly text: string; readonly location: string | null };

function findAction({ text, status }: Page): string {
  const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1];
  if (action !== undefined) return action;
  throw new CommandFailure(`The bank's page is not as expected (${status}); open the checkout page instead.`);
}

const postForm = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
) => send(url, { headers, body: new URLSearchParams(fields) });

async function send(url: string, init: RequestInit): Promise<Page> {
  try {
    const answer = await fetch(url, {
      ...init,
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new CommandFailure(`The sandbox at ${new URL(url).origin} did not answer: ${reason}`);
  }
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const declined = (reason: string | undefined): CommandFailure =>
  new CommandFailure(`The payment failed: ${reason ?? 'the card was declined'}.`);
