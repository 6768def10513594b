import type { Mode } from '@gp/contracts';
import { traceHeaders, type Account, type Call } from '@gp/gateway';
import Stripe from 'stripe';
import type { Credentials } from './credentials.ts';

export type Clients = Readonly<Record<Mode, Stripe>>;

/** The version the library's types describe; pinned here too, so that an upgrade of one without the other fails. */
const API_VERSION = '2026-10-28.endive';

/**
 * One client for each mode. Keys come with each call, and so do idempotency keys: the library repeats a request
 * once by itself when its connection was closed, which is safe only under a key of ours.
 */
export function openClients(urls: Readonly<Record<Mode, string>>): Clients {
  return { test: clientAt(urls.test), live: clientAt(urls.live) };
}

function clientAt(address: string): Stripe {
  const { protocol, hostname, port } = new URL(address);
  return new Stripe('key_comes_with_each_call', {
    apiVersion: API_VERSION,
    host: hostname,
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** On the connected account, with the merchant's own key: forgetting either would look like "no such payment". */
export function optionsOf(
  { mode, credentials }: Account<Credentials>,
  idempotencyKey?: string,
): Stripe.RequestOptions {
  return {
    apiKey: credentials.secret_key,
    stripeAccount: credentials.account_id,
    headers: traceHeaders(mode),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/** The library knows no abort signal: we stop waiting, and what the gateway does meanwhile is unknown. */
export function within<T>({ signal }: Pick<Call, 'signal'>, request: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    request.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
