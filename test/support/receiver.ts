import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { apiContract } from './api-contract.ts';

export type Received = { readonly id: string; readonly type: string; readonly data: Record<string, unknown> };

export type Receiver = {
  readonly url: string;
  /** Verified events, each once, in the order they came. */
  readonly events: readonly Received[];
  /** Requests whose signature an independent verifier refused, or which are not as openapi.json says. */
  readonly refused: readonly string[];
  trust(secret: string): void;
  onEvent(listener: (event: Received) => void): void;
  close(): Promise<void>;
};

/**
 * A merchant's webhook endpoint: verifies every delivery with a verifier that is not ours and drops repeats by event
 * id, as the documentation asks receivers to. While `isBusy` it takes nothing and answers 503. Without a port it takes a
 * free one.
 */
export async function openReceiver(
  o: { readonly isBusy?: () => boolean; readonly port?: number } = {},
): Promise<Receiver> {
  const { webhooks } = new Stripe('sk_unused');
  const published = await apiContract();
  const events: Received[] = [];
  const ids = new Set<string>();
  const refused: string[] = [];
  const listeners: ((event: Received) => void)[] = [];
  let secret = '';

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (o.isBusy?.()) return void response.writeHead(503).end();
      const raw = Buffer.concat(chunks);
      try {
        const header = String(request.headers['service-signature']);
        const event = webhooks.constructEvent(raw, header, secret) as unknown as Received;
        published.assertEvent(request.headers, event);
        if (!ids.has(event.id)) {
          ids.add(event.id);
          events.push(event);
          listeners.forEach((listener) => listener(event));
        }
        response.writeHead(200).end();
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error));
        response.writeHead(400).end();
      }
    });
  });
  server.listen(o.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    refused,
    trust: (value) => void (secret = value),
    onEvent: (listener) => void listeners.push(listener),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
