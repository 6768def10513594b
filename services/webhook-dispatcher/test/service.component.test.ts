import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  findRecovery,
  listEndpoints,
  publicEventSubject,
  resendDelivery,
  startRecovery,
  updateEndpoint,
  type PublicEvent,
} from '@gp/contracts';
import { openPg, type Db } from '@gp/pg';
import { eventually, testDatabase, testNats, type OwnServer, type TestDatabase } from '@gp/testing';
import Stripe from 'stripe';
import { uuidv7 } from 'uuidv7';
import { failPoints } from '../src/fail-points.ts';
import { startDispatcher, type Dispatching } from './support/process.ts';
import { openReceiver, status, type Received, type Receiver } from './support/receiver.ts';
import { makeEvent as anyEvent, makeDue, schemas } from './support/world.ts';

/** Makes Node's block list let everything pass, as a broken release of it would. */
const blindGuard = new URL('./support/blind-guard.mjs', import.meta.url).href;

let database: TestDatabase;
let nats: OwnServer;
let bus: Bus;
let db: Db;
let receiver: Receiver;
const started: Dispatching[] = [];
/** A merchant of each test's own: a message that a killed process left unacknowledged comes again in a later test. */
let scope: { merchant_id: string; mode: 'test' };
const makeEvent = (): PublicEvent => anyEvent(scope);

beforeAll(async () => {
  nats = await testNats();
  // One test publishes what breaks its contract.
  bus = await openBus({ servers: nats.url, name: 'test', strict: false });
  await eventually(() => bus.isConnected() || undefined);
  await bus.ensureStreams();
});
afterAll(async () => {
  await bus?.close();
  await nats?.stop();
});
beforeEach(async () => {
  scope = { merchant_id: uuidv7(), mode: 'test' };
  database = await testDatabase({ schemas });
  db = await openPg({ url: database.url('webhooks'), name: 'test', connectTimeoutMs: 30_000 });
  receiver = await openReceiver();
});
afterEach(async () => {
  // A test that ran out of time goes on when its process ends, and may start another.
  while (started.length > 0) await Promise.all(started.splice(0).map((process) => process.end()));
  await receiver.close();
  await db.close();
  await database.drop();
});

const addresses = () => ({ DATABASE_URL: database.url('webhooks'), NATS_URL: nats.url });

async function start(env: Record<string, string> = {}): Promise<Dispatching> {
  const process = startDispatcher({ ...addresses(), ...env });
  started.push(process);
  await process.says('started');
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
const attempts = async () =>
  (await db.pool.query<{ attempts: number }>('select attempts from deliveries')).rows.map(
    (row) => row.attempts,
  );
const delivered = () => eventually(async () => (await statuses()).join() === 'delivered' || undefined);
const accepted = (request: Received, secret: string) =>
  new Stripe('sk_unused').webhooks.constructEvent(
    request.body,
    String(request.headers['service-signature']),
    secret,
  );

describe('the service', () => {
  it('the service delivers what the ledger publishes, and logs it in the trace of the payment', async () => {
    const dispatcher = await start();
    const { secret } = await register();
    const event = makeEvent();
    await publish(event, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00');
    const [request] = await receiver.receive(1);
    const { id, type, created, data } = event;
    expect(accepted(request!, secret)).toEqual({ id, type, created, data });
    expect(await dispatcher.says('webhook delivered')).toMatchObject({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      event_id: event.id,
      event_type: 'group_payment.paid',
      http_status: 200,
    });
    expect(JSON.stringify(dispatcher.lines)).not.toContain(secret.slice('whsec_'.length));
  });

  it('the service keeps endpoints of merchants and modes apart', async () => {
    await start();
    const mine = await register();
    const live = await register({ mode: 'live' });
    const { secret, ...view } = mine;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(await bus.call(listEndpoints, scope)).toEqual({ endpoints: [view] });
    expect(await bus.call(findEndpoint, { ...scope, id: mine.id })).toEqual(view);
    for (const other of [
      { ...scope, id: live.id },
      { ...scope, merchant_id: 'm2', id: mine.id },
    ]) {
      const missing = { code: 'not_found', message: 'webhook endpoint not found' };
      await expect(bus.call(findEndpoint, other)).rejects.toMatchObject(missing);
      await expect(bus.call(updateEndpoint, { ...other, enabled: false })).rejects.toMatchObject(missing);
      await expect(bus.call(deleteEndpoint, other)).rejects.toMatchObject(missing);
    }
    expect(await bus.call(findEndpoint, { ...scope, id: mine.id })).toMatchObject({ enabled: true });
  });

  it('the service changes the given fields and nothing else', async () => {
    await start();
    const { secret: _shown, ...made } = await register();
    const change = (o: object) => bus.call(updateEndpoint, { ...scope, id: made.id, ...o });
    const named = await change({ description: 'shop' });
    expect(named).toMatchObject({ ...made, description: 'shop', updated_at: named.updated_at });
    expect(Date.parse(named.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at));
    expect(await change({ event_types: ['group_payment.paid'] })).toMatchObject({
      description: 'shop',
      event_types: ['group_payment.paid'],
    });
    expect(await change({ event_types: [], description: null, enabled: false })).toMatchObject({
      url: made.url,
      description: null,
      event_types: [],
      enabled: false,
    });
    const refused = { code: 'validation_error', data: { param: 'url' } };
    await expect(change({ url: 'http://shop.example/' })).rejects.toMatchObject(refused);
    await expect(change({ event_types: ['group_payment.unheard_of'] })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it('the service deletes an endpoint once', async () => {
    await start();
    const { id } = await register();
    expect(await bus.call(deleteEndpoint, { ...scope, id })).toEqual({ id, deleted: true });
    expect(await bus.call(listEndpoints, scope)).toEqual({ endpoints: [] });
    await expect(bus.call(deleteEndpoint, { ...scope, id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the service cancels by itself what waits for a deleted endpoint', async () => {
    receiver.answer(status(500));
    await start();
    const { id } = await register();
    await publish(makeEvent());
    // Refused once: it waits for its next attempt, and nothing is under way.
    await receiver.receive(1);
    await eventually(async () => (await attempts()).join() === '1' || undefined);
    await bus.call(deleteEndpoint, { ...scope, id });
    await eventually(async () => (await statuses()).join() === 'cancelled' || undefined);
  });

  it('the service keeps an unreadable message as a dead letter', async () => {
    await start();
    await publish({ ...makeEvent(), sequence: 0 });
    await eventually(async () => {
      const { rows } = await db.pool.query('select consumer from dead_letters');
      return rows.length === 1 || undefined;
    });
  });

  it('the service delivers what was published while it was down (F4)', async () => {
    const first = await start();
    await register();
    await first.end();
    await publish(makeEvent());
    await start();
    await delivered();
    expect(receiver.received).toHaveLength(1);
  });

  it('the service finishes work in flight when it is stopped', async () => {
    receiver.answer((response) => void setTimeout(() => response.end(), 500));
    const dispatcher = await start();
    await register();
    await publish(makeEvent());
    await receiver.receive(1);
    dispatcher.signal('SIGTERM');
    expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
    expect(await statuses()).toEqual(['delivered']);
  });

  it('the service measures due and sent deliveries', async () => {
    receiver.answer(status(500));
    const dispatcher = await start();
    const { port } = await dispatcher.says('started');
    await register();
    await publish(makeEvent());
    await eventually(async () => {
      const page = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
      const shown = [
        /gp_webhook_attempts_total\{outcome="status_5xx"[^}]*\} 1/,
        /gp_webhook_due_deliveries(\{[^}]*\})? 0/,
        /gp_webhook_oldest_due_seconds(\{[^}]*\})? 0/,
        /gp_webhook_lanes\{state="closed"[^}]*\} 1/,
      ];
      return shown.every((line) => line.test(page)) || undefined;
    });
  });
});

/** Ends the claims that a killed process has left, as time would. */
const passLeases = () => makeDue(db, 'sending');
const asked = (point: string) => /\.(resend|recover)/.test(point);

describe('a process that is killed', () => {
  it.each(failPoints.filter((point) => !asked(point)))(
    'a process killed at %s delivers the event all the same, under the same id',
    async (point) => {
      const first = await start();
      const { secret } = await register();
      await first.end();
      const dying = startDispatcher({ ...addresses(), GP_FAIL_POINT: point });
      started.push(dying);
      const event = makeEvent();
      await publish(event);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await start();
      await delivered();
      const ids = receiver.received.map((request) => accepted(request, secret).id);
      expect(new Set(ids)).toEqual(new Set([event.id]));
      // Only a death between the request and its record makes the receiver get it twice.
      const mayRepeat = ['webhooks.request.after', 'webhooks.outcome.before'].includes(point);
      expect(ids.length).toBe(mayRepeat ? 2 : 1);
      const { rows } = await db.pool.query('select event_id from deliveries');
      expect(rows).toEqual([{ event_id: event.id }]);
    },
  );
});

describe('a process that is killed while a merchant has events sent again', () => {
  /** An endpoint that was sent this, and then a process that dies at the point. */
  const dyingAfter = async (point: string, events: readonly PublicEvent[], answer = 200) => {
    receiver.answer(status(answer));
    const first = await start({ RETRY_LADDER_MS: '1' });
    const { id } = await register();
    for (const event of events) await publish(event);
    const end = answer === 200 ? 'delivered' : 'failed';
    await eventually(async () => {
      const found = await statuses();
      return found.length === events.length && found.every((each) => each === end) ? true : undefined;
    });
    await first.end();
    receiver.answer(status(200));
    receiver.received.length = 0;
    const dying = startDispatcher({ ...addresses(), GP_FAIL_POINT: point });
    started.push(dying);
    await dying.says('started');
    return { id, dying };
  };

  it.each(failPoints.filter((point) => point.includes('.resend')))(
    'a resend interrupted by a kill at %s can be requested again, and the event is sent',
    async (point) => {
      const event = makeEvent();
      const { id, dying } = await dyingAfter(point, [event]);
      const request = { ...scope, endpoint_id: id, delivery_id: event.id };
      const unanswered = bus.call(resendDelivery, request, { timeoutMs: 20_000 }).catch(() => undefined);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await start();
      await unanswered;
      await eventually(() => bus.call(resendDelivery, request).catch(() => undefined));
      await eventually(async () => {
        const { rows } = await db.pool.query('select resend_from, status from deliveries');
        return JSON.stringify(rows) === '[{"resend_from":null,"status":"delivered"}]' || undefined;
      });
      expect(receiver.received.every((each) => each.event.id === event.id)).toBe(true);
      expect(receiver.received.length).toBeGreaterThanOrEqual(1);
    },
  );

  it.each(failPoints.filter((point) => point.includes('.recover')))(
    'a recovery interrupted by a kill at %s continues where it was, and each event is sent once',
    async (point) => {
      const events = Array.from({ length: 130 }, makeEvent);
      const { id, dying } = await dyingAfter(point, events, 500);
      const period = { since: events[0]!.created, until: new Date(Date.now() + 1_000).toISOString() };
      const request = { ...scope, endpoint_id: id, ...period };
      const unanswered = bus.call(startRecovery, request, { timeoutMs: 20_000 }).catch(() => undefined);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await start();
      await unanswered;
      const { id: recovery_id } = await eventually(() =>
        bus.call(startRecovery, request).catch(() => undefined),
      );
      await eventually(async () => {
        const found = await bus.call(findRecovery, { ...scope, endpoint_id: id, recovery_id });
        return found.status === 'done' || undefined;
      });
      await eventually(async () => (await statuses()).every((each) => each === 'delivered') || undefined);
      const ids = receiver.received.map((each) => each.event.id);
      expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
      // A commit whose confirmation is lost sends nothing twice.
      expect(ids).toHaveLength(events.length);
    },
  );
});

describe('a start', () => {
  const refusal = async (env: Record<string, string>) => {
    const process = startDispatcher({ ...addresses(), ...env });
    started.push(process);
    const { code } = await process.ended;
    return { code, said: JSON.stringify(process.lines) };
  };

  it('a start is refused when a live worker could lose its claim', async () => {
    const { code, said } = await refusal({ LEASE_MS: '16000' });
    expect(code).toBe(78);
    expect(said).toContain('LEASE_MS');
  });

  it('a start is refused when one endpoint could fill the pool', async () => {
    expect(await refusal({ MAX_IN_FLIGHT: '30' })).toMatchObject({ code: 78 });
  });

  it('a start is refused when the address guard does not block', async () => {
    const { code, said } = await refusal({ NODE_OPTIONS: `--import ${blindGuard}` });
    expect(code).toBe(78);
    expect(said).toContain('refusing to start');
  });
});
