import type { Account } from './element.ts';
import { CONNECTION_ERROR, IntegrationError, type Intent, type Result, type StripeError } from './errors.ts';
import type { Deferred } from './express.ts';

export function knownSecret(clientSecret: unknown): string {
  if (typeof clientSecret === 'string' && /^pi_\w+_secret_\w+$/.test(clientSecret)) return clientSecret;
  throw new IntegrationError('The client secret should have the form pi_…_secret_….');
}

export function retrieve(account: Account, clientSecret: string): Promise<Result> {
  // All in the address: custom headers would require a preflight request.
  const query = buildQuery(account, knownSecret(clientSecret));
  return send(account, `${findId(clientSecret)}?${query}`, { method: 'GET' });
}

/** Confirms with a payment method of the gateway: what a wallet returns in place of a card. */
export function confirmWith(account: Account, clientSecret: string, paymentMethod: string): Promise<Result> {
  const body = buildQuery(account, clientSecret);
  body.set('payment_method', paymentMethod);
  body.set('use_stripe_sdk', 'true');
  return send(account, `${findId(clientSecret)}/confirm`, { method: 'POST', body });
}

/** Returns the error for Elements that were not submitted, or that say something else of the payment than it says itself. */
export async function findMismatch(
  account: Account,
  clientSecret: string,
  { isSubmitted, deferred }: { readonly isSubmitted: boolean; readonly deferred: Deferred | undefined },
): Promise<StripeError | undefined> {
  if (!isSubmitted)
    throw new IntegrationError('elements.submit() must be called before a payment is confirmed.');
  const { paymentIntent: intent, error } = await retrieve(account, clientSecret);
  if (error) return error;
  const isSame =
    deferred?.amount === intent.amount &&
    deferred.currency === intent.currency &&
    deferred.captureMethod === intent.capture_method;
  if (isSame) return undefined;
  const message = 'The amount, currency or capture method of Elements is not that of the PaymentIntent.';
  return { type: 'invalid_request_error', message };
}

const findId = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';

function buildQuery({ key, account }: Account, clientSecret: string): URLSearchParams {
  const query = new URLSearchParams({ key, client_secret: clientSecret });
  if (account !== '') query.set('_stripe_account', account);
  return query;
}

async function send({ origin }: Account, path: string, init: RequestInit): Promise<Result> {
  try {
    const address = `${origin}/gateway_a/v1/payment_intents/${path}`;
    const response = await fetch(address, { ...init, credentials: 'omit' });
    const body = (await response.json()) as unknown;
    return response.ok ? { paymentIntent: body as Intent } : { error: (body as { error: never }).error };
  } catch {
    return { error: CONNECTION_ERROR };
  }
}
