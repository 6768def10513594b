import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  publicEventSubject,
  updateEndpoint,
  type PublicEvent,
} from '@gp/contracts';
import { openPg, type Db } from '@gp/pg';
import { eventually, testDatabase, testNats, type OwnServer, type TestDatabase } from '@gp/testing';
import Stripe from 'stripe';
import { startDispatcher, type Dispatching } from './support/process.ts';
import { openReceiver, status, type Receiver } from './support/receiver.ts';
import { eventOf, schemas, scope } from './support/world.ts';

let database: TestDatabase;
let nats: OwnServer;
let bus: Bus;
let db: Db;
let receiver: Receiver;
let started: Dispatching[] = [];

beforeAll(async () => {
  nats = await testNats();
  bus = await openBus({ servers: nats.url, name: 'test' });
  await bus.ensureStreams();
});
afterAll(async () => {
  await bus?.close();
  await nats?.stop();
});
beforeEach(async () => {
  database = await testDatabase({ schemas });
  db = await openPg({ url: database.url('webhooks'), name: 'test' });
  receiver = await openReceiver();
});
afterEach(async () => {
  await Promise.all(started.map((process) => process.end()));
  started = [];
  await receiver.close();
  await db.close();
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<Dispatching> {
  const process = startDispatcher({ DATABASE_URL: database.url('webhooks'), NATS_URL: nats.url, ...env });
  started.push(process);
  if (env['GP_FAIL_POINT'] === undefined) await process.says('started');
  return process;
}

const register = (o: Partial<{ mode: 'test' | 'live'; merchant_id: string }> = {}) =>
  eventually(() =>
    bus.call(createEndpoint, { ...scope, url: receiver.url, description: null, event_types: [], ...o }),
  );

const publish = (event: PublicEvent, traceparent?: string) =>
  bus.publish({
    id: event.id,
    subject: publicEventSubject(event.type, event.group_id),
    payload: event,
    mode: event.mode,
    ...(traceparent && { traceparent }),
  });

const statuses = async () =>
  (await db.pool.query<{ status: string }>('select status from deliveries')).rows.map((row) => row.status);
const delivered = () => eventually(async () => (await statuses()).join() === 'delivered' || undefined);

describe('the service', () => {
  it('delivers what the ledger publishes, and tells it in the trace of the payment', async () => {
    const dispatcher = await start();
    const { secret } = await register();
    const event = eventOf();
    await publish(event, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00');
    const [request] = await receiver.heard(1);
    const { webhooks } = new Stripe('sk_unused');
    const { id, type, created, data } = event;
    const got = webhooks.constructEvent(request!.body, request!.headers['service-signature']!, secret);
    expect(got).toEqual({ id, type, created, data });
    expect(await dispatcher.says('webhook delivered')).toMatchObject({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      event_id: event.id,
      event_type: 'group_payment.paid',
      http_status: 200,
    });
  });
});
