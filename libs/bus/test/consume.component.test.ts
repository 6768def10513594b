import { connect, createInbox, nanos, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { eventually } from '@gp/testing';
import Type from '@gp/bundled/typebox';
import { MAX_TRIES, type Bus, type ConsumeOptions, type DeadMessage } from '../src/index.ts';
import { counter, natsFixture, signal } from './support.ts';

const fixture = natsFixture();
let operator: NatsConnection;
let jsm: JetStreamManager;

beforeAll(async () => {
  operator = await connect({ servers: fixture.nats.url });
  jsm = await jetstreamManager(operator);
  await (await fixture.bus()).ensureStreams();
});
afterAll(() => operator.close());

let serial = 0;

/** A topic of its own for each test: a durable, its filter and a way to publish numbers into it. */
function topic(bus: Bus, stream: 'COMMANDS' | 'EVENTS' = 'EVENTS') {
  const name = `t${++serial}`;
  const prefix = `${stream === 'EVENTS' ? 'evt' : 'cmd'}.${name}`;
  const defaults: ConsumeOptions = {
    durable: name,
    stream,
    filters: [`${prefix}.>`],
    maxInFlight: 8,
    retryMs: [10, 30],
    handler: () => Promise.resolve(),
    onDead: () => Promise.reject(new Error('nothing should die here')),
  };
  return {
    durable: name,
    prefix,
    consume: (o: Partial<ConsumeOptions>) => bus.consume({ ...defaults, ...o }),
    /**
     * Publishes again until it is stored, as the outbox does: a disk may stall, and the stream drops a repeated
     * id.
     */
    publish: (n: number, key = 'k') => {
      const sent = {
        id: `${name}-${n}`,
        subject: `${prefix}.n.v1.${key}`,
        payload: { n },
        mode: 'test',
      } as const;
      return eventually(() => bus.publish(sent).then(() => true as const));
    },
    /** Nothing waits and nothing is unconfirmed: every message has been confirmed. */
    settled: () =>
      eventually(async () => {
        const info = await jsm.consumers.info(stream, name);
        return info.num_pending + info.num_ack_pending === 0 ? true : undefined;
      }),
  };
}

/** Leaves the durable on the server, without a consumer. */
async function createDurable(t: ReturnType<typeof topic>, ackWaitMs: number): Promise<void> {
  const consumer = t.consume({ ackWaitMs });
  await eventually(() => jsm.consumers.info('EVENTS', t.durable).then(() => true as const));
  await consumer.close();
}

/** Takes the next message and neither acknowledges nor returns it, like a process that is killed while it works. */
async function takeWithoutAnswer(durable: string): Promise<void> {
  const reply = createInbox();
  const taken = new Promise<void>((resolve) => {
    operator.subscribe(reply, { max: 1, callback: () => resolve() });
  });
  const request = JSON.stringify({ batch: 1, expires: nanos(60_000) });
  operator.publish(`$JS.API.CONSUMER.MSG.NEXT.EVENTS.${durable}`, request, { reply });
  await taken;
}

const readNumber = (m: { payload: unknown }): number => (m.payload as { n: number }).n;

describe('a message', () => {
  it('a message is handled with its id, mode and trace, and acknowledged to the server', async () => {
    const bus = await fixture.bus();
    const t = topic(bus, 'COMMANDS');
    const seen = new Promise((resolve) => {
      t.consume({ handler: (m) => Promise.resolve(resolve({ ...m, working: undefined })) });
    });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const subject = `${t.prefix}.go.v1`;
    await bus.publish({ id: 'm1', subject, payload: { n: 1 }, mode: 'live', traceparent });
    await expect(seen).resolves.toEqual({
      id: 'm1',
      subject,
      payload: { n: 1 },
      mode: 'live',
      traceparent,
      deliveryCount: 1,
      working: undefined,
    });
    await t.settled();
    const { state } = await jsm.streams.info('COMMANDS', { subjects_filter: subject });
    expect(state.subjects?.[subject]).toBeUndefined();
  });

  it('a message published before a consumer existed is not missed', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    await Promise.all([1, 2, 3].map((n) => t.publish(n)));
    const all = counter(3);
    t.consume({ handler: () => Promise.resolve(all.tick()) });
    await all.reached;
  });

  it('a message whose handler failed is redelivered until it succeeds', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const tries: number[] = [];
    const done = signal();
    t.consume({
      handler: (m) => {
        tries.push(m.deliveryCount);
        if (tries.length < 3) return Promise.reject(new Error('not yet'));
        done.fire();
        return Promise.resolve();
      },
    });
    await t.publish(1);
    await done.seen;
    await t.settled();
    expect(tries).toEqual([1, 2, 3]);
  });

  it('a message that keeps failing becomes a dead letter with its reason after ten tries, and the others are handled', async () => {
    const bus = await fixture.bus();
    const t = topic(bus, 'COMMANDS');
    const handled = counter(3);
    let tries = 0;
    const buried = new Promise<DeadMessage>((resolve) => {
      t.consume({
        handler: async (m) => {
          if (readNumber(m) !== 13) return handled.tick();
          tries++;
          return Promise.reject(new AppError('not_found'));
        },
        onDead: (m) => Promise.resolve(resolve(m)),
      });
    });
    for (const n of [1, 13, 2, 3]) await t.publish(n);
    await handled.reached;
    await expect(buried).resolves.toMatchObject({
      id: `${t.durable}-13`,
      consumer: t.durable,
      stream: 'COMMANDS',
      payload: { n: 13 },
      mode: 'test',
      reason: 'not_found',
      deliveryCount: MAX_TRIES,
    });
    await t.settled();
    expect(tries).toBe(MAX_TRIES);
  });

  it('a message whose dead letter cannot be written is kept until it can', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const reasons: string[] = [];
    const buried = signal();
    t.consume({
      handler: () => Promise.reject(new Error('always')),
      onDead: (m) => {
        reasons.push(m.reason);
        if (reasons.length === 1) return Promise.reject(new Error('disk full'));
        if (reasons.length === 2) return Promise.reject(new AppError('service_unavailable'));
        buried.fire();
        return Promise.resolve();
      },
    });
    await t.publish(1);
    await buried.seen;
    await t.settled();
    expect(reasons[0]).toBe('Error: always');
    expect(reasons).toHaveLength(3);
  });

  it.each(['COMMANDS', 'EVENTS'] as const)(
    'a message of which no delivery ended becomes a dead letter before it is handled once more (F2, %s)',
    async (stream) => {
      const bus = await fixture.bus();
      const t = topic(bus, stream);
      const buried: DeadMessage[] = [];
      let deliveries = 0;
      t.consume({
        // The server sees two processes that die while they handle it.
        maxDeliver: 2,
        handler: () => Promise.reject(new Error(`always, ${(deliveries += 1)}`)),
        onDead: (m) => Promise.resolve(void buried.push(m)),
      });
      await t.publish(1);
      const [letter] = await eventually(() => (buried.length > 0 ? buried : undefined));
      expect(letter).toMatchObject({
        id: `${t.durable}-1`,
        payload: { n: 1 },
        mode: 'test',
        consumer: t.durable,
        deliveryCount: 3,
        reason: 'every delivery ended without a verdict',
      });
      expect(deliveries).toBe(2);
      if (stream === 'EVENTS') return;
      const subject = `${t.prefix}.>`;
      await eventually(async () => {
        const { state } = await jsm.streams.info(stream, { subjects_filter: subject });
        return Object.keys(state.subjects ?? {}).length === 0 || undefined;
      });
    },
  );

  it('a message whose process was killed more than ten times while handling it is handled by the next one (F8)', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const ackWaitMs = 200;
    await createDurable(t, ackWaitMs);
    await t.publish(1);
    for (let kills = 0; kills <= MAX_TRIES; kills++) await takeWithoutAnswer(t.durable);
    const deliveries: number[] = [];
    t.consume({ ackWaitMs, handler: (m) => Promise.resolve(void deliveries.push(m.deliveryCount)) });
    await eventually(() => deliveries.length > 0 || undefined);
    await t.settled();
    expect(deliveries[0]).toBeGreaterThan(MAX_TRIES);
  });

  it('a message that more than ten stopping consumers returned is handled by the next one (F8)', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    await t.publish(1);
    for (let restarts = 0; restarts <= MAX_TRIES; restarts++) {
      const met = signal();
      const consumer = t.consume({
        handler: () => {
          met.fire();
          return Promise.reject(new AppError('service_unavailable'));
        },
      });
      await met.seen;
      await consumer.close();
    }
    const deliveries: number[] = [];
    t.consume({ handler: (m) => Promise.resolve(void deliveries.push(m.deliveryCount)) });
    await eventually(() => deliveries.length > 0 || undefined);
    await t.settled();
    expect(deliveries[0]).toBeGreaterThan(MAX_TRIES);
  });

  it.each([
    ['is not JSON', 'no json', 'no json'],
    ['breaks its contract', '{"n":"x"}', { n: 'x' }],
  ])(
    'a message that %s becomes a dead letter at once and never reaches the handler',
    async (_title, body, payload) => {
      const bus = await fixture.bus();
      const seen: unknown[] = [];
      const buried = new Promise<DeadMessage>((resolve) => {
        bus.consume({
          durable: `odd${++serial}`,
          stream: 'EVENTS',
          filters: [`evt.odd.thing.said.v1.g${serial}`],
          payload: Type.Object({ n: Type.Integer() }),
          maxInFlight: 1,
          handler: (m) => Promise.resolve(void seen.push(m)),
          onDead: (m) => Promise.resolve(resolve(m)),
        });
      });
      await operator.request(`evt.odd.thing.said.v1.g${serial}`, body);
      await expect(buried).resolves.toMatchObject({ payload, deliveryCount: 1 });
      expect(seen).toEqual([]);
    },
  );

  it('a message that takes longer than the server’s wait for acknowledgement is not delivered elsewhere meanwhile', async () => {
    const [one, two] = [await fixture.bus(), await fixture.bus()];
    const t = topic(one);
    const other = { ...t, consume: (o: Partial<ConsumeOptions>) => two.consume({ ...o } as ConsumeOptions) };
    // The bus reports every third of it that the work goes on: a short stall of this process fits in between.
    const ackWaitMs = 6_000;
    const [began, end] = [signal(), signal()];
    const deliveries: number[] = [];
    const handler: ConsumeOptions['handler'] = async (m) => {
      deliveries.push(m.deliveryCount);
      began.fire();
      await end.seen;
    };
    t.consume({ handler, ackWaitMs });
    other.consume({
      durable: t.durable,
      stream: 'EVENTS',
      filters: [`${t.prefix}.>`],
      maxInFlight: 8,
      onDead: () => Promise.resolve(),
      handler,
      ackWaitMs,
    });
    await t.publish(1);
    await began.seen;
    await new Promise((resolve) => setTimeout(resolve, 1.25 * ackWaitMs));
    end.fire();
    await t.settled();
    expect(deliveries).toEqual([1]);
  });
});

describe('concurrency', () => {
  it('concurrency never exceeds maxInFlight, and everything is handled once', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const all = counter(200);
    const five = signal();
    let running = 0;
    let most = 0;
    const seen = new Set<number>();
    t.consume({
      maxInFlight: 5,
      handler: async (m) => {
        most = Math.max(most, ++running);
        if (running === 5) five.fire();
        await five.seen;
        await new Promise(setImmediate);
        running--;
        seen.add(readNumber(m));
        all.tick();
      },
    });
    await Promise.all(Array.from({ length: 200 }, (_, n) => t.publish(n)));
    await all.reached;
    await t.settled();
    expect(most).toBe(5);
    expect([all.told(), seen.size]).toEqual([200, 200]);
  });

  it('messages of one key follow one another while other keys overtake', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const all = counter(5);
    const end = signal();
    const order: string[] = [];
    t.consume({
      toOrderingKey: (m) => m.subject,
      handler: async (m) => {
        if (readNumber(m) === 1) await end.seen;
        order.push(`${m.subject.at(-1)}${readNumber(m)}`);
        if (order.length === 2) end.fire();
        all.tick();
      },
    });
    for (const [n, key] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
      [4, 'b'],
      [5, 'a'],
    ] as const)
      await t.publish(n, key);
    await all.reached;
    expect(order).toEqual(['b3', 'b4', 'a1', 'a2', 'a5']);
  });
});

describe('an outage of what a handler needs', () => {
  it("an outage of a handler's dependency holds the message, stops pulling, and counts as no try", async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    let isUp = false;
    let probes = 0;
    const shut = signal();
    const begun = counter(4);
    const tries = new Map<number, number[]>();
    const all = counter(10);
    for (let n = 0; n < 4; n++) await t.publish(n);
    t.consume({
      maxInFlight: 4,
      healthy: () => {
        if (++probes === 2) shut.fire();
        return Promise.resolve(isUp);
      },
      handler: async (m) => {
        const n = readNumber(m);
        tries.set(n, [...(tries.get(n) ?? []), m.deliveryCount]);
        begun.tick();
        if (n === 0 && !isUp) {
          // All four are in hand before the gate shuts.
          await begun.reached;
          throw new AppError('service_unavailable');
        }
        // The others finish when the first is known to be held back: more capacity appears, unused.
        await shut.seen;
        all.tick();
      },
    });
    await shut.seen;
    for (let n = 4; n < 10; n++) await t.publish(n);
    const info = await eventually(async () => {
      const now = await jsm.consumers.info('EVENTS', t.durable);
      return now.num_ack_pending === 1 && probes > 3 ? now : undefined;
    });
    expect(info.num_pending).toBe(6);
    isUp = true;
    await all.reached;
    await t.settled();
    expect(tries.get(0)).toEqual([1, 1]);
    expect([...tries.values()].flat()).toEqual(Array(11).fill(1));
  });

  it('an outage that only one message meets does not hold up the others', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const others = counter(20);
    let isStuck = true;
    const freed = signal();
    t.consume({
      maxInFlight: 2,
      healthy: () => Promise.resolve(true),
      handler: async (m) => {
        if (readNumber(m) !== 0) return others.tick();
        if (isStuck) throw new AppError('service_unavailable');
        freed.fire();
      },
    });
    for (let n = 0; n <= 20; n++) await t.publish(n);
    await others.reached;
    isStuck = false;
    await freed.seen;
    await t.settled();
  });
});

describe('closing', () => {
  it('a closing consumer waits for the running handler and acknowledges its message', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const [began, end] = [signal(), signal()];
    let isFinished = false;
    const consumer = t.consume({
      handler: async () => {
        began.fire();
        await end.seen;
        isFinished = true;
      },
    });
    await t.publish(1);
    await began.seen;
    const closed = consumer.close();
    await t.publish(2);
    end.fire();
    await closed;
    expect(isFinished).toBe(true);
    // The server counts an acknowledgement some time after it was sent.
    const counts = await eventually(async () => {
      const { num_ack_pending, num_pending } = await jsm.consumers.info('EVENTS', t.durable);
      return num_ack_pending === 0 ? [num_ack_pending, num_pending] : undefined;
    });
    expect(counts).toEqual([0, 1]);
  });

  it('a consumer that closes in an outage returns the message instead of waiting without end', async () => {
    const [leaving, staying] = [await fixture.bus(), await fixture.bus()];
    const t = topic(leaving);
    const met = signal();
    const consumer = t.consume({
      handler: () => {
        met.fire();
        return Promise.reject(new AppError('service_unavailable'));
      },
    });
    await t.publish(1);
    await met.seen;
    await consumer.close();
    const taken = new Promise<number>((resolve) => {
      staying.consume({
        durable: t.durable,
        stream: 'EVENTS',
        filters: [`${t.prefix}.>`],
        maxInFlight: 1,
        handler: (m) => Promise.resolve(resolve(readNumber(m))),
        onDead: () => Promise.resolve(),
      });
    });
    await expect(taken).resolves.toBe(1);
  });
});

describe('the durable', () => {
  it('a durable that is deleted is created again, and no message is missed', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const seen = new Set<number>();
    t.consume({ handler: (m) => Promise.resolve(void seen.add(readNumber(m))) });
    await t.publish(1);
    await eventually(() => seen.has(1) || undefined);
    await jsm.consumers.delete('EVENTS', t.durable);
    await t.publish(2);
    await eventually(() => seen.has(2) || undefined);
  });

  it('a durable that is deleted is created again a second later, when the server has removed its files', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const created: number[] = [];
    operator.subscribe(`$JS.API.CONSUMER.CREATE.EVENTS.${t.durable}.>`, {
      callback: () => void created.push(performance.now()),
    });
    t.consume({});
    await t.publish(1);
    await t.settled();
    const deleted = performance.now();
    await jsm.consumers.delete('EVENTS', t.durable);
    await eventually(() => created[1]);
    expect(created[1]).toBeGreaterThan(deleted + 990);
  });

  it('a durable whose settings changed with a release is updated in place', async () => {
    const bus = await fixture.bus();
    const t = topic(bus);
    const before = t.consume({});
    await eventually(async () => (await jsm.consumers.info('EVENTS', t.durable)).name);
    await before.close();
    const seen = signal();
    t.consume({
      maxInFlight: 3,
      filters: [`evt.other${serial}.>`, `${t.prefix}.>`],
      handler: () => Promise.resolve(seen.fire()),
    });
    await t.publish(1);
    await seen.seen;
    const { config } = await jsm.consumers.info('EVENTS', t.durable);
    expect(config.max_ack_pending).toBe(64 * 3);
    // One filter in the request's subject, where the server checks the permission for it.
    expect(config.filter_subject).toBe('evt.*.>');
    expect(config.filter_subjects).toBeUndefined();
  });
});
