import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { apiContract } from './api-contract.ts';

export type Delivery = {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly event: { id: string; type: string; created: string; data: Record<string, unknown> };
  /** The status of its answer. */
  readonly status: number;
};

/**
 * A merchant's endpoint that keeps every request as it came and answers the n-th (from 0) as set. A delivery that differs
 * from openapi.json rejects every wait for one, and `close`.
 */
export async function openEndpoint(answer: (nth: number) => number = () => 200) {
  const published = await apiContract();
  const deliveries: Delivery[] = [];
  const faults: string[] = [];
  const assertPublished = (): void => {
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const status = answer(deliveries.length);
      const event = JSON.parse(raw) as Delivery['event'];
      try {
        published.assertEvent(request.headers, event);
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
      deliveries.push({ headers: request.headers, raw, event, status });
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    deliveries,
    /** Waits for a delivery that was answered with success. */
    async accepted(type: string, groupId: string, withinMs = 30_000): Promise<Delivery> {
      for (const giveUpAt = Date.now() + withinMs; ; await delay(50)) {
        assertPublished();
        const found = deliveries.find(
          ({ event, status }) =>
            status === 200 && event.type === type && event.data['group_payment_id'] === groupId,
        );
        if (found) return found;
        if (Date.now() > giveUpAt)
          throw new TimeoutError(`no ${type} among ${deliveries.map(({ event }) => event.type).join(', ')}`);
      }
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      assertPublished();
    },
  };
}
export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

/** A merchant's endpoint that takes connections and never answers. */
export async function openSilentEndpoint(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
