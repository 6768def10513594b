import type { Mode } from '@gp/contracts';
import { traceHeaders, type GatewayAccount, type Call } from '@gp/gateway';
import { currentTraceparent, traceHttpCall } from '@gp/telemetry';
import Stripe from 'stripe';
import type { Credentials } from './credentials.ts';

export type Clients = Readonly<Record<Mode, Stripe>>;

/** The version that the library's types describe; pinned here too, so that upgrading only one of them fails. */
const API_VERSION = '2026-10-28.endive';

/**
 * Opens one client for each mode. Keys come with each call, and so do idempotency keys. The library repeats no request:
 * a repetition is the caller's decision, with the same idempotency key.
 */
export function openClients(urls: Readonly<Record<Mode, string>>): Clients {
  return { test: createClient(urls.test), live: createClient(urls.live) };
}

function createClient(address: string): Stripe {
  const { protocol, hostname, port } = new URL(address);
  return new Stripe('key_comes_with_each_call', {
    apiVersion: API_VERSION,
    host: hostname,
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: createHttpClient(),
  });
}

/** Returns the library's own client, which describes each request by a span; what continues our trace names that span. */
function createHttpClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, body, protocol, timeout) => {
    const url = new URL(`${protocol}://${host}:${port}${path}`);
    return traceHttpCall(
      { method, url },
      (response) => response.getStatusCode(),
      () => {
        const continued = {
          ...headers,
          ...('Traceparent' in headers && { Traceparent: currentTraceparent() ?? '' }),
        };
        return send(host, port, path, method, continued, body, protocol, timeout);
      },
    );
  };
  return client;
}

/**
 * Returns the connected account and the merchant's own key: without either, a request would get "no such payment".
 */
export function buildRequestOptions(
  { mode, credentials }: GatewayAccount<Credentials>,
  idempotencyKey?: string,
): Stripe.RequestOptions {
  return {
    apiKey: credentials.secret_key,
    stripeAccount: credentials.account_id,
    headers: traceHeaders(mode),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/**
 * Stops waiting when the signal aborts, because the library supports no abort signal; the effect at the gateway is
 * then unknown.
 */
export function within<T>({ signal }: Pick<Call, 'signal'>, request: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    request.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
