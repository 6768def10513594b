import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { changeTimers } from '@gp/contracts';
import { catchCode, natsFixture } from './support.ts';

const fixture = natsFixture();
const connections: NatsConnection[] = [];

async function operator(): Promise<JetStreamManager> {
  const nc = await connect({ servers: fixture.nats.url });
  connections.push(nc);
  return jetstreamManager(nc);
}

afterEach(async () => {
  await Promise.all(connections.splice(0).map((nc) => nc.close()));
});

describe('the streams', () => {
  it('the streams are as defined however often and by however many they are ensured', async () => {
    const buses = [await fixture.bus(), await fixture.bus()];
    await Promise.all([...buses, ...buses].map((bus) => bus.ensureStreams()));
    const streams = (await operator()).streams;
    const [commands, events] = [await streams.info('COMMANDS'), await streams.info('EVENTS')];
    expect(commands.config).toMatchObject({ subjects: ['cmd.>'], retention: 'workqueue', storage: 'file' });
    expect(events.config).toMatchObject({
      subjects: ['evt.>'],
      retention: 'limits',
      storage: 'file',
      max_age: nanos(14 * 24 * 3_600_000),
    });
    for (const { config } of [commands, events]) expect(config.duplicate_window).toBe(nanos(120_000));
  });

  it('a missing stream is reported', async () => {
    const { streams } = await operator();
    const bus = await fixture.bus();
    await bus.ensureStreams();
    expect(await bus.hasStreams()).toBe(true);
    await streams.delete('COMMANDS');
    expect(await bus.hasStreams()).toBe(false);
    await bus.ensureStreams();
    expect(await bus.hasStreams()).toBe(true);
  });

  it('the streams are identified as the same until one of them is created anew (F9)', async () => {
    const { streams } = await operator();
    const bus = await fixture.bus();
    await bus.ensureStreams();
    const first = await bus.identifyStreams();
    await bus.publish({ id: 'one', subject: 'evt.ledger.sum.kept.v1.g2', payload: {}, mode: 'test' });
    await bus.ensureStreams();
    expect(await bus.identifyStreams()).toBe(first);
    await streams.delete('EVENTS');
    await expect(bus.identifyStreams()).rejects.toThrow('stream not found');
    await bus.ensureStreams();
    expect(await bus.identifyStreams()).not.toBe(first);
  });

  it('no stream matches a question', async () => {
    await (await fixture.bus()).ensureStreams();
    const names = await (await operator()).streams.names('rpc.>').next();
    expect(names).toEqual([]);
  });

  it('a stream with an outdated configuration is brought up to date and keeps its messages', async () => {
    const jsm = await operator();
    const bus = await fixture.bus();
    await bus.ensureStreams();
    await bus.publish({ id: 'kept', subject: 'evt.ledger.sum.kept.v1.g1', payload: {}, mode: 'test' });
    await jsm.streams.update('EVENTS', { max_age: nanos(300_000), subjects: ['evt.old.>', 'evt.ledger.>'] });
    await bus.ensureStreams();
    const { config, state } = await jsm.streams.info('EVENTS');
    expect(config).toMatchObject({ subjects: ['evt.>'], max_age: nanos(14 * 24 * 3_600_000) });
    expect(state.messages).toBeGreaterThan(0);
  });
});

describe('a publish', () => {
  it('a publish is stored once however often it is repeated', async () => {
    const bus = await fixture.bus();
    await bus.ensureStreams();
    const once = { id: 'm1', subject: 'cmd.ledger.sum.store.v1', payload: { n: 1 }, mode: 'live' as const };
    await bus.publish(once);
    await bus.publish(once);
    const jsm = await operator();
    const { state } = await jsm.streams.info('COMMANDS');
    expect(state.messages).toBe(1);
    const stored = await jsm.streams.getMessage('COMMANDS', { last_by_subj: once.subject });
    expect(stored?.json()).toEqual({ n: 1 });
    expect(stored?.header.get('Nats-Msg-Id')).toBe('m1');
    expect(stored?.header.get('gp-mode')).toBe('live');
  });

  it('a publish that no stream stores is refused, so the outbox keeps it', async () => {
    const bus = await fixture.bus();
    const lost = { id: 'm2', subject: 'nobody.stores.this', payload: {}, mode: 'test' as const };
    expect(await catchCode(bus.publish(lost))).toBe('service_unavailable');
  });

  it('a publish that breaks its contract is refused, with and without a key at the end of its subject', async () => {
    const bus = await fixture.bus();
    await bus.ensureStreams();
    const publish = (subject: string, payload: unknown): Promise<unknown> =>
      catchCode(bus.publish({ id: subject + JSON.stringify(payload), subject, payload, mode: 'test' }));
    const keyed = 'evt.checkout.signing_keys.changed.v1.test';
    expect(await publish(keyed, { mode: 'x' })).toBe('validation_error');
    expect(await publish(changeTimers.subject, {})).toBe('validation_error');
    expect(await publish(keyed, { mode: 'test' })).toBe('no error');
    expect(await publish('evt.ledger.sum.other.v1.g1', { anything: 1 })).toBe('no error');
  });

  it('a publish is not checked in production: its consumers check it', async () => {
    const bus = await fixture.bus({ strict: false });
    await bus.ensureStreams();
    const broken = { id: 'b1', subject: changeTimers.subject, payload: {}, mode: 'test' as const };
    expect(await catchCode(bus.publish(broken))).toBe('no error');
  });
});
