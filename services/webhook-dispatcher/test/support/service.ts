import { isDeepStrictEqual } from 'node:util';
import { openBus, type Bus } from '@gp/bus';
import { createEndpoint, publicEventSubject, type PublicEvent } from '@gp/contracts';
import { openPg, type Db } from '@gp/pg';
import { eventually, testDatabase, testNats } from '@gp/testing';
import Stripe from 'stripe';
import { uuidv7 } from 'uuidv7';
import { startDispatcher, type Dispatching } from './process.ts';
import { openReceiver, type Received } from './receiver.ts';
import { makeEvent, schemas } from './world.ts';

export type Service = Awaited<ReturnType<typeof openService>>;
export type Merchant = Awaited<ReturnType<typeof openMerchant>>;

/** Opens a bus and a database of the test's own, and starts processes of the dispatcher on them. */
export async function openService() {
  const nats = await testNats();
  // One test publishes what breaks its contract.
  const bus = await openBus({ servers: nats.url, name: 'test', strict: false });
  await eventually(() => bus.isConnected() || undefined);
  await bus.ensureStreams();
  const database = await testDatabase({ schemas });
  const url = database.url('webhooks');
  const db = await openPg({ url, name: 'test', connectTimeoutMs: 30_000 });
  const processes: Dispatching[] = [];
  const merchants: Merchant[] = [];
  const launch = (env: Record<string, string> = {}): Dispatching => {
    const process = startDispatcher({ DATABASE_URL: url, NATS_URL: nats.url, ...env });
    processes.push(process);
    return process;
  };
  return {
    bus,
    db,
    /** Starts a process that may end before it is ready. */
    launch,
    /** Starts a process and waits until it is ready. */
    async start(env: Record<string, string> = {}): Promise<Dispatching> {
      const process = launch(env);
      await process.says('started');
      return process;
    },
    async openMerchant(): Promise<Merchant> {
      const merchant = await openMerchant(bus, db);
      merchants.push(merchant);
      return merchant;
    },
    async close() {
      // A test that ran out of time goes on when its process ends, and may start another.
      while (processes.length > 0) await Promise.all(processes.splice(0).map((process) => process.end()));
      await Promise.all(merchants.map(({ receiver }) => receiver.close()));
      await db.close();
      await database.drop();
      await bus.close();
      await nats.stop();
    },
  };
}

/** Opens a new merchant with a server of its own. */
async function openMerchant(bus: Bus, db: Db) {
  const receiver = await openReceiver();
  const scope = { merchant_id: uuidv7(), mode: 'test' as const };
  const listDeliveries = async (): Promise<Delivery[]> =>
    (await db.pool.query<Delivery>(DELIVERIES, [scope.merchant_id])).rows;
  return {
    scope,
    receiver,
    makeEvent: () => makeEvent(scope),
    /** Registers the merchant's server as an endpoint. */
    register: (o: Partial<{ mode: 'test' | 'live' }> = {}) =>
      eventually(() =>
        bus.call(createEndpoint, { ...scope, url: receiver.url, description: null, event_types: [], ...o }),
      ),
    /** Publishes an event as the ledger does. */
    publish: (event: PublicEvent, traceparent?: string) =>
      bus.publish({
        id: event.id,
        subject: publicEventSubject(event.type, event.group_id),
        payload: event,
        mode: event.mode,
        ...(traceparent && { traceparent }),
      }),
    listDeliveries,
    /** Waits until `count` deliveries are all there is and all have these values. */
    async waitForDeliveries(count: number, values: Partial<Delivery>) {
      const has = (delivery: Delivery) => isDeepStrictEqual({ ...delivery, ...values }, delivery);
      await eventually(async () => {
        const found = await listDeliveries();
        return (found.length === count && found.every(has)) || undefined;
      });
    },
  };
}

type Delivery = {
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly resend_from: string | null;
};
const DELIVERIES = `select d.event_id, d.status, d.attempts, d.resend_from
  from deliveries d join endpoints e on e.id = d.endpoint_id where e.merchant_id = $1`;

/** Verifies a request's signature as a merchant does, and returns its event. */
export const verifyRequest = (request: Received, secret: string) =>
  new Stripe('sk_unused').webhooks.constructEvent(
    request.body,
    String(request.headers['service-signature']),
    secret,
  );
