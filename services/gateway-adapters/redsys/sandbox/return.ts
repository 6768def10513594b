import { setTimeout as delay } from 'node:timers/promises';
import type { HttpResponse } from '@gp/http';
import type { Stage } from '@gp/psp-sandbox/kit';
import { sendsParameters } from './account.ts';
import { buildReturnParameters } from './callbacks.ts';
import { notePage } from './pages.ts';
import type { PaymentC } from './payment.ts';

/** Redirects the browser to the order's address, with signed parameters where the terminal is configured so. */
export async function backToShop({ accounts }: Stage, payment: PaymentC): Promise<HttpResponse> {
  const { urlOk, urlKo, terminal } = payment.details;
  const isHeld = payment.authorisedMinor > 0n;
  const address = isHeld ? urlOk : urlKo;
  if (address === null)
    return notePage(200, isHeld ? 'The payment is authorised.' : 'The payment is denied.');
  const url = new URL(address);
  const account = sendsParameters(terminal) ? await accounts.find('gateway_c', payment.account) : undefined;
  if (account) {
    const parameters = buildReturnParameters(payment, account.secrets['secret_key'] ?? '');
    for (const [name, value] of parameters) url.searchParams.set(name, value);
  }
  return { status: 303, headers: { Location: url.href } };
}

/** The longest time that the payer waits for a merchant's server that does not respond. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 10;

/** Notifies first: the browser is redirected once the merchant's server was notified, or did not respond. */
export async function whenNotified(
  { books, clock }: Stage,
  { pspReference }: PaymentC,
  response: HttpResponse,
): Promise<HttpResponse> {
  if (response.status !== 303) return response;
  const until = clock().getTime() + PATIENCE_MS;
  while (clock().getTime() < until && (await books.hasOpenCallbacks(pspReference))) await delay(LOOK_MS);
  return response;
}
