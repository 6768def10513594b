import { afterEach, expect, it } from '@jest/globals';
import { rpc } from '@gp/contracts';
import Type from '@gp/bundled/typebox';
import { eventually } from '@gp/testing';
import { setTracePropagation, type BusWork, type InboundMessage } from '../src/index.ts';
import { addContract, manyContract, natsFixture } from './support.ts';

const fixture = natsFixture();
const outer = rpc('rpc.checkout.sums.ask.v1', { request: Type.Object({}), response: Type.Object({}) });
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

afterEach(() => setTracePropagation());

it('the traceparent of a call without tracing continues in the calls made while handling it', async () => {
  const bus = await fixture.bus();
  const seen: unknown[] = [];
  bus.serve(addContract, (_request, ctx) => {
    seen.push(ctx.traceparent);
    return Promise.resolve({ sum: 0 });
  });
  bus.serve(outer, async (_request, ctx) => {
    seen.push(ctx.traceparent);
    await bus.call(addContract, { amount: 1 });
    return {};
  });
  let current: string | undefined = traceparent;
  const once = {
    current: () => current,
    run: <T>(_work: unknown, fn: () => Promise<T>) => fn(),
  };
  setTracePropagation(once);
  const answered = bus.call(outer, {});
  setTracePropagation();
  current = undefined;
  await answered;
  expect(seen).toEqual([traceparent, traceparent]);
});

it('calls and handlers run inside the installed hooks, coalesced commands as links', async () => {
  const bus = await fixture.bus();
  const runs: unknown[] = [];
  setTracePropagation({
    current: () => traceparent,
    run: (work, fn) => {
      runs.push(work);
      return fn();
    },
  });
  bus.serve(addContract, () => Promise.resolve({ sum: 0 }));
  bus.serveBatch(manyContract, (commands) => Promise.resolve(commands.map(() => ({ sum: 0 }))));
  await bus.call(addContract, { amount: 1 });
  await bus.coalesce(manyContract)({ amount: 1 });
  expect(runs).toEqual([
    { kind: 'client', subject: addContract.subject },
    { kind: 'server', subject: addContract.subject, traceparent },
    { kind: 'client', subject: manyContract.subject },
    { kind: 'server', subject: manyContract.subject, links: [traceparent] },
  ]);
});

it('a message is sent and processed inside the installed hooks, and carries the trace of the span that sends it', async () => {
  const bus = await fixture.bus();
  await bus.ensureStreams();
  const sending = traceparent.replace('00f067aa0ba902b7', 'b'.repeat(16));
  const runs: BusWork[] = [];
  let current: string | undefined;
  setTracePropagation({
    current: () => current,
    run: (work, fn) => {
      runs.push(work);
      current = work.kind === 'producer' ? sending : undefined;
      return fn();
    },
  });
  const { promise: arrived, resolve } = Promise.withResolvers<InboundMessage>();
  bus.consume({
    ...{ durable: 'traced', stream: 'EVENTS', filters: ['evt.traced.>'], maxInFlight: 1 },
    handler: async (m) => resolve(m),
    onDead: () => Promise.reject(new Error('nothing should die here')),
  });
  const subject = 'evt.traced.n.v1.k';
  const message = { id: 'm1', subject, payload: {}, mode: 'test', traceparent } as const;
  await eventually(() => bus.publish(message).then(() => true as const));
  expect((await arrived).traceparent).toBe(sending);
  const about = { subject, messageId: 'm1' };
  expect(runs).toContainEqual({ kind: 'producer', ...about, traceparent });
  expect(runs).toContainEqual({ kind: 'consumer', ...about, durable: 'traced', traceparent: sending });
});
