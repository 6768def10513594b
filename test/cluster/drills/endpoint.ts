import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
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

/** Where endpoints are, and how they prove it. */
export type Place = { readonly address: string; readonly key: string; readonly certificate: string };

/** A delivery as an independent verifier admitted it. */
export type Event = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly group_payment_id: string };
};

/**
 * A merchant's webhook endpoint, at an address that the platform takes for the internet's. Under a path of its own: what is
 * still delivered to endpoints of earlier crowds is not its business.
 */
export async function openEndpoint(place: Place): Promise<Endpoint> {
  const path = `/webhooks/${randomUUID()}`;
  const seen = new Set<string>();
  const paid = new Map<string, number>();
  let repeated = 0;
  let secret = '';
  const server = await openEndpoints(place, 443, {
    findSecret: (asked) => (asked === path ? secret : undefined),
    take({ id, type, data }) {
      if (seen.has(id)) repeated += 1;
      else if (type === 'group_payment.paid') {
        const { group_payment_id: group } = data;
        paid.set(group, (paid.get(group) ?? 0) + 1);
      }
      seen.add(id);
    },
  });
  return {
    url: `https://${place.address}${path}`,
    paid,
    repeated: () => repeated,
    refused: server.refused,
    trust: (value) => void (secret = value),
    close: server.close,
  };
}

/**
 * A server of endpoints. A delivery is answered with 404 where its path has no secret, with 400 where the signature is not one of
 * it, and otherwise with 204 once it is taken.
 */
export async function openEndpoints(
  { address, key, certificate }: Place,
  port: number,
  o: { findSecret(path: string): string | undefined; take(event: Event, path: string): void | Promise<void> },
): Promise<{ readonly refused: readonly string[]; close(): Promise<void> }> {
  const { webhooks } = new Stripe('sk_unused');
  const refused: string[] = [];
  const answer = async (request: IncomingMessage, path: string): Promise<number> => {
    const secret = o.findSecret(path);
    if (secret === undefined) return 404;
    const body = await buffer(request);
    try {
      const header = String(request.headers['service-signature']);
      await o.take(webhooks.constructEvent(body, header, secret) as unknown as Event, path);
      return 204;
    } catch (error) {
      refused.push(String(error));
      return 400;
    }
  };
  const server = createServer({ key, cert: certificate }, (request, response) => {
    // A dispatcher that has ended takes no answer.
    answer(request, request.url ?? '').then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
