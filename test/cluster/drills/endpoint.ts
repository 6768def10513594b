import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import Stripe from 'stripe';

export type Endpoint = {
  readonly url: string;
  /** How often each group was said to be paid, by its id and each event once. */
  readonly paid: ReadonlyMap<string, number>;
  /** Deliveries of an event that had come before. */
  readonly repeated: () => number;
  /** Deliveries that an independent verifier refused. */
  readonly refused: readonly string[];
  trust(secret: string): void;
  close(): Promise<void>;
};

type Event = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly group_payment_id: string };
};

/**
 * A merchant's webhook endpoint, at an address that the platform takes for the internet's. Under a path of its own: what is
 * still delivered to endpoints of earlier crowds is not its business.
 */
export async function openEndpoint(o: {
  address: string;
  key: string;
  certificate: string;
}): Promise<Endpoint> {
  const { webhooks } = new Stripe('sk_unused');
  const path = `/webhooks/${randomUUID()}`;
  const seen = new Set<string>();
  const paid = new Map<string, number>();
  const refused: string[] = [];
  let repeated = 0;
  let secret = '';
  const take = (header: string, body: Buffer): void => {
    const event = webhooks.constructEvent(body, header, secret) as unknown as Event;
    if (seen.has(event.id)) repeated += 1;
    else if (event.type === 'group_payment.paid') {
      const { group_payment_id: id } = event.data;
      paid.set(id, (paid.get(id) ?? 0) + 1);
    }
    seen.add(event.id);
  };
  const server = createServer({ key: o.key, cert: o.certificate }, (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      try {
        take(String(request.headers['service-signature']), Buffer.concat(parts));
        response.writeHead(204).end();
      } catch (error) {
        refused.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  server.listen(443, o.address);
  await once(server, 'listening');
  return {
    url: `https://${o.address}${path}`,
    paid,
    repeated: () => repeated,
    refused,
    trust: (value) => void (secret = value),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
