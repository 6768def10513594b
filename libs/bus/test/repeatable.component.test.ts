import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Bus } from '../src/index.ts';
import { addContract, catchCode, counter, manyContract, natsFixture, signal } from './support.ts';

const fixture = natsFixture();
const repeatable = { ...addContract, repeatable: true };

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Waits until the server has dropped the last listener; calls it routes before that go to the callee that is
 * leaving.
 */
const nobodyAnswers = (bus: Bus): Promise<true> =>
  eventually(async () => {
    const code = await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 300 }));
    return code === 'service_unavailable' || undefined;
  });

describe('a callee that dies with the question', () => {
  it('a callee that dies with a repeatable call delays it by seconds', async () => {
    const [bus, dying, next] = [await fixture.bus(), await fixture.bus(), await fixture.bus()];
    const never = signal();
    const heard = signal();
    const lost = dying.serve(repeatable, async () => {
      heard.fire();
      await never.seen;
      return { sum: 0 };
    });
    const answer = bus.call(repeatable, { amount: 1 }, { timeoutMs: 60_000 });
    await heard.seen;
    // For a while there is no listener: the call goes on waiting for the next one.
    const left = lost.close();
    setTimeout(() => next.serve(repeatable, ({ amount }) => Promise.resolve({ sum: amount + 1 })), 2_500);
    await expect(answer).resolves.toEqual({ sum: 2 });
    never.fire();
    await left;
  });

  it('a slow callee is waited for, and not called twice: its first reply counts', async () => {
    const bus = await fixture.bus();
    const [slow, copied] = [signal(), counter(2)];
    const bystander = await connect({ servers: fixture.nats.url });
    bystander.subscribe(repeatable.subject, { callback: () => copied.tick() });
    await bystander.flush();
    let asked = 0;
    bus.serve(repeatable, async ({ amount }) => {
      asked += 1;
      await slow.seen;
      return { sum: amount + asked };
    });
    bus.serveBatch(manyContract, (commands) => Promise.resolve(commands.map(() => ({ sum: 0 }))));
    const answer = bus.call(repeatable, { amount: 1 }, { timeoutMs: 60_000 });
    await copied.reached;
    await bystander.close();
    // This command is sent after the copy, so the slow callee has received the copy, too.
    await bus.coalesce(manyContract)({ amount: 1 });
    slow.fire();
    await expect(answer).resolves.toEqual({ sum: 2 });
    expect(asked).toBe(1);
  });

  it('a reply that has arrived is used by a caller that was stopped before it read it', async () => {
    const [caller, callee] = [await fixture.bus(), await fixture.bus()];
    let asked = 0;
    callee.serve(repeatable, ({ amount }) => {
      asked += 1;
      // After the reply is sent, this process stands still for longer than the time until a copy is sent.
      if (asked === 1) setImmediate(holdUp, 2_500);
      return Promise.resolve({ sum: amount + asked });
    });
    await expect(caller.call(repeatable, { amount: 1 })).resolves.toEqual({ sum: 2 });
    // The bus keeps order: a copy would have been received before this.
    await expect(caller.call(repeatable, { amount: 10 })).resolves.toEqual({ sum: 12 });
  });

  it('a replica without room for a copy does not refuse a call that another one is handling', async () => {
    const [bus, crowd, slow, full] = await Promise.all(Array.from({ length: 4 }, () => fixture.bus()));
    const [heard, done, never] = [signal(), signal(), signal()];
    const busy = slow!.serve(repeatable, async () => {
      heard.fire();
      await done.seen;
      return { sum: 1 };
    });
    const answer = bus!.call(repeatable, { amount: 1 }, { timeoutMs: 60_000 });
    await heard.seen;
    const left = busy.close();
    await nobodyAnswers(crowd!);
    const came = signal();
    const isRefused = (amount: number) =>
      crowd!.call(addContract, { amount }).then(
        () => false,
        () => true,
      );
    full!.serve(
      repeatable,
      async () => {
        came.fire();
        await never.seen;
        return { sum: 2 };
      },
      { concurrency: 1 },
    );
    // One runs and four wait; further calls are refused.
    const calls = Array.from({ length: 6 }, (_, n) => isRefused(n));
    await came.seen;
    expect(await Promise.race(calls)).toBe(true);
    setTimeout(done.fire, 2_500);
    await expect(answer).resolves.toEqual({ sum: 1 });
    await left;
  });

  it('a callee that dies with another call delays it until its deadline, and the call is sent once', async () => {
    const bus = await fixture.bus();
    const never = signal();
    let asked = 0;
    bus.serve(addContract, async () => {
      asked += 1;
      await never.seen;
      return { sum: 0 };
    });
    expect(await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 5_000 }))).toBe(
      'deadline_exceeded',
    );
    expect(asked).toBe(1);
    never.fire();
  });
});
