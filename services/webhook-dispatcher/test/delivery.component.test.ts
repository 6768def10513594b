import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { ok, openReceiver, silence, status, type Receiver } from './support/receiver.ts';
import {
  encryptionKey,
  makeEvent,
  groupEvents,
  openWorld,
  scope,
  settings,
  type World,
} from './support/world.ts';

let world: World;
let receiver: Receiver;
const others: Receiver[] = [];
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => {
  // Closed first, so that no request waits for an answer any more.
  await Promise.all([receiver, ...others.splice(0)].map((each) => each.close()));
  await world.clear();
});

async function another(): Promise<Receiver> {
  const opened = await openReceiver();
  others.push(opened);
  return opened;
}

/** The deliveries, once `count` of them have come to their end. */
const settled = (count = 1) =>
  eventually(async () => {
    const rows = await world.deliveries();
    const final = rows.filter((row) => row.status !== 'pending' && row.status !== 'sending');
    return final.length >= count ? rows : undefined;
  });

describe('a delivery', () => {
  it("a delivery is accepted unmodified by the stripe package's verifier and by Standard Webhooks'", async () => {
    const { secret } = await world.endpoint(receiver.url);
    world.dispatch();
    const event = makeEvent();
    await world.publish(event);
    const [request] = await receiver.receive(1);
    const { body, headers } = request!;
    const stripe = new Stripe('sk_unused').webhooks;
    const { id, type, created, data } = event;
    const signature = String(headers['service-signature']);
    expect(stripe.constructEvent(body, signature, secret)).toEqual({ id, type, created, data });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ id });
    expect(() => stripe.constructEvent(`${body} `, signature, secret)).toThrow();
  });

  it('a delivery carries the documented headers', async () => {
    await world.endpoint(receiver.url);
    world.dispatch();
    const event = makeEvent();
    await world.publish(event);
    const [request] = await receiver.receive(1);
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-id': event.id,
      'service-event-type': event.type,
      'service-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
      'user-agent': expect.stringMatching(/^GroupPayments/),
    });
  });

  it.each([200, 201, 202, 204, 299])('a delivery is acknowledged by %i', async (code) => {
    receiver.answer(status(code));
    await world.endpoint(receiver.url);
    world.dispatch();
    await world.publish(makeEvent());
    expect(await settled()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it.each([301, 400, 404, 410, 429, 500, 503])(
    'a delivery answered with %i is sent again, same id and new t (Q8)',
    async (code) => {
      receiver.answer((response, request, count) =>
        (count === 1 ? status(code) : ok)(response, request, count),
      );
      const { secret } = await world.endpoint(receiver.url);
      // Long enough that the second of `t` has changed.
      world.dispatch({ retryLadderMs: '1100' });
      const event = makeEvent();
      await world.publish(event);
      const [first, second] = await receiver.receive(2);
      expect(await settled()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
      expect([first!.event.id, second!.event.id]).toEqual([event.id, event.id]);
      expect(second!.body).toBe(first!.body);
      const t = [first, second].map(
        (request) => /t=(\d+)/.exec(String(request!.headers['service-signature']))![1],
      );
      expect(Number(t[1])).toBeGreaterThan(Number(t[0]));
      const { webhooks } = new Stripe('sk_unused');
      expect(webhooks.constructEvent(second!.body, second!.headers['service-signature']!, secret).id).toBe(
        event.id,
      );
    },
  );

  it('a delivery that is never acknowledged fails after seven requests (Q10)', async () => {
    receiver.answer(status(500));
    await world.endpoint(receiver.url);
    world.dispatch();
    await world.publish(makeEvent());
    expect(await settled()).toMatchObject([{ status: 'failed', attempts: 7, due_at: null }]);
    expect(receiver.received).toHaveLength(7);
    expect((await world.attempts()).map((row) => [row['number'], row['next_attempt_at'] === null])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((number) => [number, number === 7]),
    );
  });

  it('a delivery waits at least its step, counted from the failure', async () => {
    receiver.answer((response, request, count) => (count === 1 ? status(500) : ok)(response, request, count));
    await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '400' });
    await world.publish(makeEvent());
    const [first, second] = await receiver.receive(2);
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(400);
  });

  it('a delivery waits for a Retry-After that is later than its step (Q10)', async () => {
    receiver.answer((response, request, count) =>
      (count === 1 ? status(503, { 'retry-after': '1' }) : ok)(response, request, count),
    );
    await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '600' });
    await world.publish(makeEvent());
    const [first, second] = await receiver.receive(2);
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(1_000);
  });

  it('a delivery that times out is sent again (F5, Q9)', async () => {
    receiver.answer((response, request, count) => (count === 1 ? silence : ok)(response, request, count));
    await world.endpoint(receiver.url);
    world.dispatch({ deadlineMs: 500 });
    await world.publish(makeEvent());
    expect(await settled()).toMatchObject([{ status: 'delivered' }]);
    // On a busy machine more than the first may not be answered in time.
    const attempts = await world.attempts();
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    expect(attempts.at(-1)).toMatchObject({ http_status: 200 });
    for (const attempt of attempts.slice(0, -1)) expect(attempt).toMatchObject({ error_class: 'timeout' });
  });
});

describe('the attempt log', () => {
  it('the attempt log records the request and the response, without signatures', async () => {
    receiver.answer(status(422, {}, 'x'.repeat(20_000) + '\0'));
    const { id, secret } = await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '60000' });
    const event = makeEvent();
    await world.publish(event);
    const [attempt] = await eventually(async () => {
      const rows = await world.attempts();
      return rows.length > 0 ? rows : undefined;
    });
    expect(attempt).toMatchObject({
      event_id: event.id,
      endpoint_id: id,
      number: 1,
      url: receiver.url,
      remote_address: '127.0.0.1',
      http_status: 422,
      error_class: null,
      outcome: 'status_4xx',
      response_body: 'x'.repeat(16_384),
      next_attempt_at: expect.any(Date),
    });
    expect(attempt!['request_headers']).toMatchObject({
      'Service-Signature': '[redacted]',
      'webhook-signature': '[redacted]',
      'Service-Event-Id': event.id,
    });
    expect(attempt!['timings']).toMatchObject({
      connect_ms: expect.any(Number),
      total_ms: expect.any(Number),
    });
    expect(JSON.stringify(attempt)).not.toContain(secret);
  });

  it('the attempt log keeps a response that is no text', async () => {
    receiver.answer((response) => void response.end(Buffer.from([0, 1, 0xff, 0xfe, 0x61])));
    await world.endpoint(receiver.url);
    world.dispatch();
    await world.publish(makeEvent());
    await settled();
    expect(await world.attempts()).toMatchObject([{ response_body: '\uFFFD\u0001\uFFFD\uFFFDa' }]);
  });
});

describe('an event', () => {
  it('an event goes to every endpoint of its merchant and mode that subscribes to it, and to no other (Q18)', async () => {
    const at = async (path: string, o: object = {}) => world.endpoint(`${receiver.url}/${path}`, o);
    await at('all');
    await at('this', { event_types: ['group_payment.paid', 'payment_intent.failed'] });
    await at('that', { event_types: ['payment_intent.failed'] });
    await at('live', { mode: 'live' });
    await at('stranger', { merchant_id: 'm2' });
    world.dispatch();
    await world.publish(makeEvent({ type: 'group_payment.paid' }));
    await settled(2);
    expect(receiver.received.map((request) => request.path).sort()).toEqual(['/hooks/all', '/hooks/this']);
    expect(await world.deliveries()).toHaveLength(2);
  });

  it('an event that is received again creates no second delivery (F1)', async () => {
    await world.endpoint(receiver.url);
    world.dispatch();
    const event = makeEvent();
    await world.publish(event, event);
    await settled();
    await world.publish(event);
    await world.publish(makeEvent());
    await settled(2);
    expect(receiver.received.filter((request) => request.event.id === event.id)).toHaveLength(1);
  });

  it('an event that is faulty does not affect the others of its batch', async () => {
    await world.endpoint(receiver.url);
    const [good, bad, fine] = [makeEvent(), makeEvent({ group_id: 'no uuid' }), makeEvent()];
    // The first one keeps the statement busy, so that the next two share one.
    const published = await Promise.allSettled(
      [makeEvent(), good, bad, fine].map((event) => world.publish(event)),
    );
    expect(published.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await world.deliveries()).toHaveLength(3);
  });

  it('an event is sent with the bytes that were frozen when it was stored (F5)', async () => {
    await world.endpoint(receiver.url);
    const event = makeEvent({ data: { text: 'ünïcødé 🍕 "quoted"', nested: { a: [1, 2.5, null] } } });
    await world.publish(event);
    world.dispatch();
    const [request] = await receiver.receive(1);
    const { rows } = await world.db.pool.query<{ payload: string }>('select payload from events');
    expect(request!.body).toBe(rows[0]!.payload);
    const { id, type, created, data } = event;
    expect(JSON.parse(request!.body)).toEqual({ id, type, created, data });
  });
});

describe('events of one group', () => {
  const sequences = () =>
    receiver.received.map((request) => Number(request.event.data['sequence'] ?? Number.NaN));
  const numbered = (count: number) =>
    groupEvents(count).map((event) => ({ ...event, data: { ...event.data, sequence: event.sequence } }));

  it('events of one group make their first attempts in sequence, whatever order they arrive in (F3)', async () => {
    await world.endpoint(receiver.url);
    world.dispatch();
    // One that is missing is waited for no longer than two seconds: a group that took us as long to publish is not checked.
    const events = await eventually(async () => {
      const group = numbered(8);
      const startedAt = performance.now();
      for (const at of [3, 1, 2, 0]) await world.publish(group[at]!);
      await world.publish(...group.slice(4).toReversed());
      return performance.now() - startedAt < 1_900 ? group : undefined;
    });
    const ids = new Set(events.map((event) => event.id));
    const listReceived = () => receiver.received.filter((request) => ids.has(request.event.id));
    await eventually(() => listReceived().length >= 8 || undefined);
    expect(listReceived().map((request) => request.event.data['sequence'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('events of one group do not wait for each other after a first failure (F3)', async () => {
    await world.endpoint(receiver.url);
    receiver.answer((response, request, count) =>
      (request.event.data['sequence'] === 1 ? status(500) : ok)(response, request, count),
    );
    world.dispatch({ retryLadderMs: '60000' });
    await world.publish(...numbered(3));
    await settled(2);
    expect(sequences()).toEqual([1, 2, 3]);
  });

  it('events of one group wait two seconds at most for one that hangs (F3)', async () => {
    await world.endpoint(receiver.url);
    receiver.answer((response, request, count) =>
      (request.event.data['sequence'] === 1 ? silence : ok)(response, request, count),
    );
    world.dispatch();
    const startedAt = Date.now();
    await world.publish(...numbered(2));
    const [, second] = await receiver.receive(2);
    const waited = second!.atMs - startedAt;
    expect(sequences()).toEqual([1, 2]);
    expect(waited).toBeGreaterThanOrEqual(1_900);
    // Not until the first one is given up.
    expect(waited).toBeLessThan(settings.deadlineMs - 10_000);
  });

  it('events of one group wait two seconds at most for one that never arrives', async () => {
    await world.endpoint(receiver.url);
    world.dispatch();
    const startedAt = Date.now();
    await world.publish(numbered(2)[1]!);
    const [request] = await receiver.receive(1);
    expect(request!.atMs - startedAt).toBeGreaterThanOrEqual(1_900);
  });

  it('events of different groups do not wait for each other', async () => {
    await world.endpoint(receiver.url);
    receiver.answer((response, request, count) =>
      (request.event.data['sequence'] === 1 ? silence : ok)(response, request, count),
    );
    world.dispatch();
    await world.publish(numbered(1)[0]!, makeEvent());
    await settled(1);
    await receiver.receive(2);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an endpoint that changes while deliveries wait', () => {
  const waiting = async () => {
    receiver.answer(status(500));
    const endpoint = await world.endpoint(receiver.url);
    const running = world.dispatch({ retryLadderMs: '600000' });
    await world.publish(makeEvent());
    await eventually(async () => (await world.deliveries())[0]?.attempts === 1 || undefined);
    return { ...endpoint, running };
  };

  it('a waiting delivery goes to the endpoint’s present address (F5)', async () => {
    const { id } = await waiting();
    const moved = await another();
    await world.change(id, { url: moved.url });
    await world.hurry('pending');
    await moved.receive(1);
    expect(await settled()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('an endpoint that is disabled holds its deliveries, and later ones, too (F5)', async () => {
    const { id } = await waiting();
    await world.change(id, { enabled: false });
    await world.settle();
    await world.publish(makeEvent());
    expect(await world.deliveries()).toMatchObject([{ status: 'held' }, { status: 'held' }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('an endpoint that is enabled again gets new events, while held deliveries stay held (F5)', async () => {
    const { id } = await waiting();
    await world.change(id, { enabled: false });
    await world.settle();
    receiver.answer(ok);
    await world.change(id, { enabled: true });
    const event = makeEvent();
    await world.publish(event);
    await eventually(
      async () => (await world.deliveries()).some((row) => row.status === 'delivered') || undefined,
    );
    const rows = await world.deliveries();
    expect(rows.find((row) => row.event_id === event.id)).toMatchObject({ status: 'delivered' });
    expect(rows.filter((row) => row.status === 'held')).toHaveLength(1);
  });

  it('an endpoint that is deleted has its deliveries cancelled and its secret erased (F5)', async () => {
    const { id } = await waiting();
    await world.remove(id);
    await world.settle();
    await world.publish(makeEvent());
    expect(await world.deliveries()).toMatchObject([{ status: 'cancelled' }]);
    const { rows } = await world.db.pool.query('select secret_sealed from endpoints where id = $1', [id]);
    expect(rows).toEqual([{ secret_sealed: null }]);
  });

  it('an endpoint that is deleted after it was disabled has its held deliveries cancelled, too', async () => {
    const { id } = await waiting();
    await world.change(id, { enabled: false });
    await world.settle();
    await world.remove(id);
    await world.settle();
    expect(await world.deliveries()).toMatchObject([{ status: 'cancelled' }]);
  });

  it('an endpoint that changes lets a request in flight end, and settles the rest', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    receiver.answer((...given) => void mayEnd.then(() => status(500)(...given)));
    const { id } = await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '10' });
    await world.publish(makeEvent());
    await receiver.receive(1);
    await world.remove(id);
    await world.settle();
    expect(await world.deliveries()).toMatchObject([{ status: 'sending' }]);
    end();
    await eventually(async () => {
      await world.settle();
      return (await world.deliveries())[0]?.status === 'cancelled' || undefined;
    });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('secrets are in no table and in no log', async () => {
    const { secret } = await world.endpoint(receiver.url);
    receiver.answer((response, request, count) => (count === 1 ? status(500) : ok)(response, request, count));
    world.dispatch();
    await world.publish(makeEvent());
    await settled();
    const tables = ['endpoints', 'lanes', 'events', 'deliveries', 'attempts'];
    const dumps = await Promise.all(
      tables.map((table) => world.db.pool.query<{ row: string }>(`select t::text as row from ${table} t`)),
    );
    const everything = JSON.stringify([dumps.map((dump) => dump.rows), world.lines]);
    const base64 = secret.slice('whsec_'.length);
    for (const needle of [secret, base64, Buffer.from(secret).toString('hex'), encryptionKey]) {
      expect(everything).not.toContain(needle);
    }
    expect(everything).not.toMatch(/v1=[0-9a-f]{64}/);
  });

  it('a secret that was moved to another row does not open there, and the delivery loses no attempt', async () => {
    const mine = await world.endpoint(receiver.url);
    const theirs = await world.endpoint(receiver.url, { merchant_id: 'm2' });
    await world.db.pool.query(
      `update endpoints e set secret_sealed = o.secret_sealed from endpoints o where e.id = $1 and o.id = $2`,
      [theirs.id, mine.id],
    );
    world.dispatch();
    await world.publish(makeEvent({ ...scope, merchant_id: 'm2' }));
    const [row] = await eventually(async () => {
      const rows = await world.deliveries();
      return rows[0]?.status === 'pending' && rows[0].due_at! > new Date() ? rows : undefined;
    });
    expect([row!.attempts, receiver.received.length]).toEqual([0, 0]);
    expect(world.lines.some((line) => line['level'] === 'error')).toBe(true);
  });
});
