import { connect } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort, testNats, type OwnServer } from '@gp/testing';
import { openBus, type Bus, type BusLog, type OutboundMessage } from '../src/index.ts';
import {
  addContract,
  catchCode,
  manyContract,
  patient,
  recordingLog,
  releaseSignals,
  signal,
} from './support.ts';

/** Jest fails a test in which a rejection goes unhandled, so every test here also proves there is none. */
let nats: OwnServer;
const open: Bus[] = [];

async function openedBus(log?: BusLog): Promise<Bus> {
  const bus = await openBus({ servers: nats.url, name: 'test', ...(log && { log }) });
  open.push(bus);
  return bus;
}

async function connectedBus(log?: BusLog): Promise<Bus> {
  const bus = await openedBus(log);
  await connected(bus);
  return bus;
}

const connected = (bus: Bus): Promise<true> => eventually(() => bus.isConnected() || undefined);
const disconnected = (bus: Bus): Promise<true> => eventually(() => !bus.isConnected() || undefined);

beforeEach(async () => {
  nats = await testNats();
});

afterEach(async () => {
  releaseSignals();
  await Promise.all(open.splice(0).map((bus) => bus.close()));
  await nats.stop();
});

describe('without a server', () => {
  it('a bus opens, refuses calls and publishes quickly, and connects when the server appears', async () => {
    await nats.kill();
    const bus = await openedBus();
    expect(bus.isConnected()).toBe(false);
    const startedAt = Date.now();
    expect(await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 110_000 }))).toBe(
      'service_unavailable',
    );
    const send = bus.coalesce(manyContract);
    expect(await catchCode(send({ amount: 1 }))).toBe('service_unavailable');
    const m = { id: 'm', subject: 'cmd.ledger.sum.store.v1', payload: {}, mode: 'test' as const };
    expect(await catchCode(bus.publish(m))).toBe('service_unavailable');
    bus.announce('note.anything', {});
    expect(Date.now() - startedAt).toBeLessThan(60_000);

    const ensured = bus.ensureStreams();
    bus.serve(addContract, ({ amount }) => Promise.resolve({ sum: amount }));
    const heard = signal();
    bus.consume({
      durable: 'early',
      stream: 'COMMANDS',
      filters: ['cmd.>'],
      maxInFlight: 1,
      handler: () => Promise.resolve(heard.fire()),
      onDead: () => Promise.resolve(),
    });
    await nats.up();
    await connected(bus);
    await ensured;
    await expect(patient(bus).call(addContract, { amount: 3 })).resolves.toEqual({ sum: 3 });
    await bus.publish(m);
    await heard.seen;
  });

  it('a bus closes at once, whether it ever connected or not', async () => {
    const was = await connectedBus();
    was.consume({
      durable: 'd',
      stream: 'EVENTS',
      filters: ['evt.>'],
      maxInFlight: 1,
      handler: () => Promise.resolve(),
      onDead: () => Promise.resolve(),
    });
    await nats.kill();
    await disconnected(was);
    const never = await openBus({ servers: `nats://127.0.0.1:${await freePort()}`, name: 'never' });
    const startedAt = Date.now();
    await Promise.all([was.close(), never.close()]);
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });
});

describe('a connection that breaks while a call waits', () => {
  it('a connection that breaks ends a waiting call at once with an unknown outcome', async () => {
    const bus = await connectedBus();
    const [busy, end] = [signal(), signal()];
    bus.serve(addContract, async () => {
      busy.fire();
      await end.seen;
      return { sum: 1 };
    });
    const call = catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 120_000 }));
    await busy.seen;
    await nats.kill();
    expect(await call).toBe('deadline_exceeded');
    end.fire();
  });

  it('a repeatable call has an unknown outcome, too, when it cannot be sent again', async () => {
    const bus = await connectedBus();
    const [busy, end] = [signal(), signal()];
    const repeatable = { ...addContract, repeatable: true };
    bus.serve(repeatable, async () => {
      busy.fire();
      await end.seen;
      return { sum: 1 };
    });
    const call = catchCode(bus.call(repeatable, { amount: 1 }, { timeoutMs: 120_000 }));
    await busy.seen;
    await nats.kill();
    expect(await call).toBe('deadline_exceeded');
  });
});

describe('streams that vanish', () => {
  const event = (id: string): OutboundMessage => ({
    id,
    subject: 'evt.ledger.sum.added.v1.g',
    payload: {},
    mode: 'test',
  });

  async function deleteStreams(): Promise<void> {
    const operator = await connect({ servers: nats.url });
    const jsm = await jetstreamManager(operator);
    for (const stream of ['COMMANDS', 'EVENTS']) await jsm.streams.delete(stream);
    await operator.close();
  }

  it('streams that vanish with their server’s disk are made again as soon as it is back', async () => {
    const bus = await connectedBus();
    await bus.ensureStreams();
    await deleteStreams();
    expect(await catchCode(bus.publish(event('between')))).toBe('service_unavailable');
    await nats.kill();
    await disconnected(bus);
    await nats.up();
    await eventually(async () => {
      await bus.publish(event('after'));
      return true;
    });
  });

  it('streams that vanish under a running consumer are made again together with it', async () => {
    const bus = await connectedBus();
    await bus.ensureStreams();
    const seen: string[] = [];
    bus.consume({
      durable: 'd',
      stream: 'EVENTS',
      filters: ['evt.>'],
      maxInFlight: 4,
      handler: (m) => Promise.resolve(void seen.push(m.id)),
      onDead: () => Promise.resolve(),
    });
    await bus.publish(event('before'));
    await eventually(() => seen.includes('before') || undefined);
    await deleteStreams();
    await eventually(async () => {
      await bus.publish(event('after'));
      return true;
    });
    await eventually(() => seen.includes('after') || undefined);
  });
});

describe('a server killed again and again under load', () => {
  it('a server killed again and again under load loses nothing that was published, and everything recovers by itself', async () => {
    const log = recordingLog();
    const [service, worker, client] = [
      await connectedBus(log),
      await connectedBus(log),
      await connectedBus(log),
    ];
    await service.ensureStreams();
    service.serve(addContract, ({ amount }) => Promise.resolve({ sum: amount }));
    service.serveBatch(manyContract, (commands) =>
      Promise.resolve(commands.map((c) => ({ sum: c.command.amount }))),
    );
    const consumed = new Set<string>();
    const dead: unknown[] = [];
    worker.consume({
      durable: 'd',
      stream: 'COMMANDS',
      filters: ['cmd.>'],
      maxInFlight: 16,
      ackWaitMs: 2_000,
      handler: async (m) => {
        await new Promise(setImmediate);
        consumed.add(m.id);
      },
      onDead: (m) => Promise.resolve(void dead.push(m)),
    });

    let isOver = false;
    const published: string[] = [];
    const wrong: unknown[] = [];
    const outage = /service_unavailable|deadline_exceeded/;
    const callAlways = async (call: (amount: number) => Promise<{ sum: number }>): Promise<void> => {
      for (let amount = 0; !isOver; amount++) {
        try {
          const { sum } = await call(amount);
          if (sum !== amount) wrong.push({ amount, sum });
        } catch (e) {
          if (!outage.test(String((e as { code?: string }).code))) wrong.push(e);
        }
      }
    };
    const publishAlways = async (name: string): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const id = `${name}-${n}`;
        const m = { id, subject: `cmd.ledger.sum.store.v1`, payload: { n }, mode: 'test' as const };
        while ((await catchCode(client.publish(m))) !== 'no error') await new Promise(setImmediate);
        published.push(id);
      }
    };
    const send = client.coalesce(manyContract);
    const load = [
      ...Array.from({ length: 4 }, () => callAlways((amount) => client.call(addContract, { amount }))),
      ...Array.from({ length: 4 }, () => callAlways((amount) => send({ amount }))),
      ...['a', 'b', 'c', 'd'].map(publishAlways),
    ];

    for (let round = 0; round < 3; round++) {
      const enough = consumed.size + 200;
      await eventually(() => consumed.size >= enough || undefined);
      await nats.kill();
      await Promise.all([service, worker, client].map(disconnected));
      await nats.up();
      await Promise.all([service, worker, client].map(connected));
    }
    isOver = true;
    await Promise.all(load);
    await expect(patient(client).call(addContract, { amount: 9 })).resolves.toEqual({ sum: 9 });
    await eventually(() => published.every((id) => consumed.has(id)) || undefined);
    expect(published.length).toBeGreaterThanOrEqual(600);
    expect([wrong, dead]).toEqual([[], []]);
  });
});
