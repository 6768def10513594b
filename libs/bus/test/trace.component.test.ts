import { afterEach, expect, it } from '@jest/globals';
import { rpc } from '@gp/contracts';
import Type from '@gp/bundled/typebox';
import { setTracePropagation } from '../src/index.ts';
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
    run: <T>(_n: string, _t: unknown, _k: string, fn: () => Promise<T>) => fn(),
  };
  setTracePropagation(once);
  const answered = bus.call(outer, {});
  setTracePropagation();
  current = undefined;
  await answered;
  expect(seen).toEqual([traceparent, traceparent]);
});

it('handlers run inside the installed hooks, coalesced commands as links', async () => {
  const bus = await fixture.bus();
  const runs: unknown[] = [];
  setTracePropagation({
    current: () => traceparent,
    run: (name, parent, kind, fn, links) => {
      runs.push({ name, parent, kind, links });
      return fn();
    },
  });
  bus.serve(addContract, () => Promise.resolve({ sum: 0 }));
  bus.serveBatch(manyContract, (commands) => Promise.resolve(commands.map(() => ({ sum: 0 }))));
  await bus.call(addContract, { amount: 1 });
  await bus.coalesce(manyContract)({ amount: 1 });
  expect(runs).toEqual([
    { name: addContract.subject, parent: traceparent, kind: 'server', links: undefined },
    { name: manyContract.subject, parent: undefined, kind: 'server', links: [traceparent] },
  ]);
});
