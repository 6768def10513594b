import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openBus, type Bus } from '@gp/bus';
import { publicEventSubject, type PublicEvent } from '@gp/contracts';
import { TimeoutError } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { send } from './api.ts';
import type { Merchant, StackFile } from './stack.ts';

/** An event of a group of its own, as the ledger would publish it. */
export function newEvent(merchant_id: string): PublicEvent {
  const group_id = uuidv7();
  return {
    id: uuidv7(),
    type: 'group_payment.paid',
    created: new Date().toISOString(),
    merchant_id,
    mode: 'test',
    group_id,
    sequence: 1,
    data: { group_payment_id: group_id, state: 'paid', is_test_mode: true, sequence: 1 },
  };
}

/** Registers endpoints with these addresses for the events of `newEvent`; returns their ids. */
export async function registerEndpoints(
  stack: StackFile,
  { test_key }: Merchant,
  urls: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    const body = { url, event_types: ['group_payment.paid'] };
    const answer = await send('POST', `${stack.api}/v1/webhooks`, body, {
      authorization: `Bearer ${test_key}`,
    });
    if (answer.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(answer.body)}`);
    ids.push(String(answer.body['id']));
  }
  return ids;
}

export async function removeEndpoints(
  stack: StackFile,
  { test_key }: Merchant,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids)
    await send('DELETE', `${stack.api}/v1/webhooks/${id}`, undefined, {
      authorization: `Bearer ${test_key}`,
    });
}

export type SlowEndpoints = Awaited<ReturnType<typeof openSlowEndpoints>>;

/** Endpoints of one merchant's server that answer slowly, and count their deliveries. */
export async function openSlowEndpoints(
  stack: StackFile,
  merchant: Merchant,
  o: { count: number; answerAfterMs: number },
) {
  /** When each delivery came, by event and endpoint: more than once is a repeat. */
  const arrivals = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const key = `${String(request.headers['service-event-id'])} ${request.url}`;
    arrivals.set(key, [...(arrivals.get(key) ?? []), performance.now()]);
    request.resume();
    setTimeout(() => response.writeHead(204).end(), o.answerAfterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = Array.from({ length: o.count }, (_, index) => `${home}/hooks/${index}`);
  const ids = await registerEndpoints(stack, merchant, urls);
  const bus: Bus = await openBus({
    servers: stack.nats,
    name: 'webhook-load',
    nkeySeed: stack.nats_seeds.administrator,
    // Nothing is published again here, and this process may be busy with other tests.
    connectTimeoutMs: 60_000,
  });
  return {
    arrivals,
    /** Publishes events, each of which is due at every endpoint; returns how many deliveries that makes. */
    async publish(events: number): Promise<number> {
      for (let left = events; left > 0; left--) {
        const event = newEvent(merchant.merchant_id);
        const subject = publicEventSubject(event.type, event.group_id);
        await bus.publish({ id: event.id, subject, payload: event, mode: event.mode });
      }
      return events * o.count;
    },
    /** Waits until so many different deliveries have come. */
    async heard(count: number, withinMs: number): Promise<void> {
      for (const giveUpAt = Date.now() + withinMs; arrivals.size < count; await delay(20))
        if (Date.now() > giveUpAt) throw new TimeoutError(`${arrivals.size} of ${count} deliveries came`);
    },
    repeats: () => [...arrivals.values()].reduce((sum, times) => sum + times.length - 1, 0),
    async close(): Promise<void> {
      await removeEndpoints(stack, merchant, ids);
      await bus.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
