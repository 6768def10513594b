import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import type { Bus } from '../src/index.ts';
import { eventually } from '@gp/testing';
import { addContract, after, catchCode, natsFixture, recordingLog, signal } from './support.ts';

const fixture = natsFixture();

describe('a call', () => {
  it('a call returns the handler’s reply', async () => {
    const bus = await fixture.bus();
    bus.serve(addContract, ({ amount }) => Promise.resolve({ sum: amount + 1 }));
    await expect(bus.call(addContract, { amount: 41 })).resolves.toEqual({ sum: 42 });
  });

  it('a call rethrows the callee’s error with its code and public data', async () => {
    const bus = await fixture.bus();
    bus.serve(addContract, () => Promise.reject(new AppError('group_expired', { message: 'Too late' })));
    await expect(bus.call(addContract, { amount: 1 })).rejects.toMatchObject({
      code: 'group_expired',
      message: 'Too late',
    });
  });

  it('a call turns an unforeseen error into internal_error, and its text stays in the callee’s log', async () => {
    const log = recordingLog();
    const bus = await fixture.bus({ log });
    bus.serve(addContract, () => Promise.reject(new Error('password is hunter2')));
    const error = await bus.call(addContract, { amount: 1 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'internal_error' });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(log.lines.map((l) => l.message)).toContain('handler failed');
  });

  it('a call that breaks the contract gets validation_error and never reaches the handler', async () => {
    const log = recordingLog();
    const bus = await fixture.bus({ log });
    const seen: number[] = [];
    bus.serve(addContract, ({ amount }) => {
      seen.push(amount);
      return Promise.resolve({ sum: 0 });
    });
    expect(await catchCode(bus.call(addContract, { amount: -1 }))).toBe('validation_error');
    expect(await catchCode(bus.call(addContract, 'x' as unknown as { amount: number }))).toBe(
      'validation_error',
    );
    await bus.call(addContract, { amount: 7 });
    expect(seen).toEqual([7]);
    expect(log.lines.map((l) => l.message)).toContain('a caller broke the contract');
  });

  it('a reply that breaks the contract fails loudly, and is not passed on', async () => {
    const log = recordingLog();
    const bus = await fixture.bus({ log });
    bus.serve(addContract, () => Promise.resolve({ sum: 1.5 }));
    expect(await catchCode(bus.call(addContract, { amount: 1 }))).toBe('internal_error');
    const fields = { subject: addContract.subject, fault: '/sum must be integer' };
    expect(log.lines).toContainEqual({ fields, message: 'the answer breaks its contract' });
  });

  it('a reply is passed on unchecked in production', async () => {
    const bus = await fixture.bus({ strict: false });
    bus.serve(addContract, () => Promise.resolve({ sum: 1.5 }));
    await expect(bus.call(addContract, { amount: 1 })).resolves.toEqual({ sum: 1.5 });
  });

  it('a reply larger than a message allows fails its call, and the callee goes on', async () => {
    const bus = await fixture.bus();
    const huge = 'x'.repeat(2 * 1024 * 1024);
    bus.serve(addContract, ({ amount }) => Promise.resolve({ sum: amount, ...(amount === 1 && { huge }) }));
    expect(await catchCode(bus.call(addContract, { amount: 1 }))).toBe('internal_error');
    await expect(bus.call(addContract, { amount: 2 })).resolves.toEqual({ sum: 2 });
  });

  it('a call larger than a message allows is refused as payload_too_large', async () => {
    const bus = await fixture.bus();
    const request = { amount: 1, huge: 'x'.repeat(2 * 1024 * 1024) };
    expect(await catchCode(bus.call(addContract, request))).toBe('payload_too_large');
  });
});

describe('a deadline', () => {
  it('a deadline ends the wait for a slow callee with deadline_exceeded', async () => {
    const bus = await fixture.bus();
    const end = signal();
    bus.serve(addContract, () => end.seen.then(() => ({ sum: 0 })));
    expect(await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 50 }))).toBe(
      'deadline_exceeded',
    );
    end.fire();
  });

  it('a deadline reaches the callee, bounded by the caller’s own timeout', async () => {
    const bus = await fixture.bus();
    const deadlines: number[] = [];
    bus.serve(addContract, (_request, ctx) => {
      deadlines.push(ctx.deadline);
      return Promise.resolve({ sum: 0 });
    });
    const deadline = Date.now() + 60_000;
    await bus.call(addContract, { amount: 1 }, { deadline, timeoutMs: 600_000 });
    await bus.call(addContract, { amount: 1 }, { deadline: deadline + 600_000, timeoutMs: 60_000 });
    await bus.call(addContract, { amount: 1 }, { deadline: deadline + 600_000 });
    expect(deadlines[0]).toBe(deadline);
    expect(deadlines[1]).toBeLessThan(deadline + 600_000);
    expect(deadlines[2]).toBe(deadline + 600_000);
  });

  it('a deadline that passed in the callee’s queue keeps the call from its handler', async () => {
    const bus = await fixture.bus();
    const [busy, end] = [signal(), signal()];
    const seen: number[] = [];
    bus.serve(
      addContract,
      async ({ amount }) => {
        seen.push(amount);
        busy.fire();
        await end.seen;
        return { sum: 0 };
      },
      { concurrency: 1 },
    );
    const first = bus.call(addContract, { amount: 1 });
    await busy.seen;
    const deadline = Date.now() + 20;
    expect(await catchCode(bus.call(addContract, { amount: 2 }, { deadline }))).toBe('deadline_exceeded');
    await after(deadline);
    end.fire();
    await first;
    await bus.call(addContract, { amount: 3 });
    expect(seen).toEqual([1, 3]);
  });
});

describe('a callee that is absent', () => {
  it('a call waits for a callee that is just restarting', async () => {
    const bus = await fixture.bus();
    const callee = await fixture.bus();
    const answer = bus.call(addContract, { amount: 1 });
    await expect(Promise.race([answer, Promise.resolve('waiting')])).resolves.toBe('waiting');
    callee.serve(addContract, () => Promise.resolve({ sum: 5 }));
    await expect(answer).resolves.toEqual({ sum: 5 });
  });

  it('a call to an absent callee is refused as service_unavailable before its deadline', async () => {
    const bus = await fixture.bus();
    const startedAt = Date.now();
    expect(await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 110_000 }))).toBe(
      'service_unavailable',
    );
    expect(Date.now() - startedAt).toBeLessThan(60_000);
  });

  it('a short deadline is respected while waiting for a callee', async () => {
    const bus = await fixture.bus();
    expect(await catchCode(bus.call(addContract, { amount: 1 }, { timeoutMs: 100 }))).toMatch(
      /service_unavailable|deadline_exceeded/,
    );
  });
});

describe('replicas', () => {
  it('replicas share the calls: each is handled by exactly one', async () => {
    const [caller, one, two] = [await fixture.bus(), await fixture.bus(), await fixture.bus()];
    const seen: number[] = [];
    const replicas = new Set<Bus>();
    for (const replica of [one, two]) {
      replica.serve(addContract, ({ amount }) => {
        replicas.add(replica);
        seen.push(amount);
        return Promise.resolve({ sum: amount });
      });
    }
    while (replicas.size < 2) await caller.call(addContract, { amount: 0 });
    const amounts = Array.from({ length: 100 }, (_, i) => i + 1);
    await Promise.all(amounts.map((amount) => caller.call(addContract, { amount })));
    await Promise.all([one.close(), two.close()]);
    expect(seen.filter((amount) => amount > 0).toSorted((a, b) => a - b)).toEqual(amounts);
  });

  it('a closing replica finishes the calls it has and takes no more', async () => {
    const [caller, leaving, staying] = [await fixture.bus(), await fixture.bus(), await fixture.bus()];
    const [busy, end] = [signal(), signal()];
    leaving.serve(addContract, async () => {
      busy.fire();
      await end.seen;
      return { sum: 1 };
    });
    const inHand = caller.call(addContract, { amount: 1 });
    await busy.seen;
    const closed = leaving.close();
    // After the server has processed the unsubscribe: calls it routes before that are still work in hand.
    await eventually(async () => {
      const code = await catchCode(caller.call(addContract, { amount: 1 }, { timeoutMs: 300 }));
      return code === 'service_unavailable' || undefined;
    });
    staying.serve(addContract, () => Promise.resolve({ sum: 2 }));
    const later = await Promise.all(
      Array.from({ length: 20 }, () => caller.call(addContract, { amount: 1 })),
    );
    expect(new Set(later.map((r) => r.sum))).toEqual(new Set([2]));
    end.fire();
    await closed;
    await expect(inHand).resolves.toEqual({ sum: 1 });
  });
});

describe('overload', () => {
  it('a call in overload is refused at once with a time to come back, and accepted calls are answered', async () => {
    const bus = await fixture.bus();
    const end = signal();
    bus.serve(addContract, ({ amount }) => end.seen.then(() => ({ sum: amount })), { concurrency: 2 });
    // Two run and eight wait: later calls are refused while all ten are still open.
    const calls = Array.from({ length: 13 }, (_, amount) => bus.call(addContract, { amount }));
    const refused = await Promise.all(calls.slice(10).map((call) => call.catch((e: unknown) => e)));
    end.fire();
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'service_unavailable', data: { retryAfterSeconds: 1 } });
    }
    await expect(Promise.all(calls.slice(0, 10))).resolves.toHaveLength(10);
  });
});

describe('listeners', () => {
  it('every replica receives an announcement', async () => {
    const buses = [await fixture.bus(), await fixture.bus(), await fixture.bus()];
    const heard = buses.slice(1).map(
      (bus) =>
        new Promise<unknown>((resolve) => {
          bus.listen('note.keys.*', ({ subject, payload }) => resolve({ subject, payload }));
        }),
    );
    // A reply over the same connection shows that the subscription has reached the server.
    for (const bus of buses.slice(1)) {
      const ready = bus.serve(addContract, () => Promise.resolve({ sum: 0 }));
      await bus.call(addContract, { amount: 0 });
      await ready.close();
    }
    buses[0]?.announce('note.keys.revoked', { id: 'k1' });
    await expect(Promise.all(heard)).resolves.toEqual(
      Array(2).fill({ subject: 'note.keys.revoked', payload: { id: 'k1' } }),
    );
  });
});
