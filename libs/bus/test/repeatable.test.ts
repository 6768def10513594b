import { describe, expect, it } from '@jest/globals';
import { addContract, codeOf, natsFixture, signal } from './support.ts';

const fixture = natsFixture();
const repeatable = { ...addContract, repeatable: true };

describe('a callee that dies with the question', () => {
  it('costs seconds where the question may be asked again', async () => {
    const bus = await fixture.bus();
    const never = signal();
    let asked = 0;
    bus.serve(repeatable, async ({ amount }) => {
      asked += 1;
      if (asked === 1) await never.seen;
      return { sum: amount + 1 };
    });
    await expect(bus.call(repeatable, { amount: 1 }, { timeoutMs: 10_000 })).resolves.toEqual({ sum: 2 });
    expect(asked).toBe(2);
    never.fire();
  });

  it('costs the whole patience where it may not, and is asked once', async () => {
    const bus = await fixture.bus();
    const never = signal();
    let asked = 0;
    bus.serve(addContract, async () => {
      asked += 1;
      await never.seen;
      return { sum: 0 };
    });
    expect(await codeOf(bus.call(addContract, { amount: 1 }, { timeoutMs: 3_000 }))).toBe(
      'deadline_exceeded',
    );
    expect(asked).toBe(1);
    never.fire();
  });
});
