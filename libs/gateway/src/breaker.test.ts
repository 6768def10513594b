import { describe, expect, it } from '@jest/globals';
import { openBreaker } from './breaker.ts';

const isUnknown = (answer: string) => answer === 'unknown';

describe('the breaker of an operation', () => {
  it('never opens because of declines', async () => {
    const breaker = openBreaker('gateway_x', 'capture', { resetMs: 60_000, volumeThreshold: 3 });
    for (let i = 0; i < 20; i += 1)
      expect(await breaker.run(() => Promise.resolve('declined'), isUnknown)).toBe('declined');
    breaker.close();
  });

  it('opens after calls without an answer, and then answers at once without calling', async () => {
    const breaker = openBreaker('gateway_x', 'void', { resetMs: 60_000, volumeThreshold: 3 });
    let calls = 0;
    const call = () => {
      calls += 1;
      return Promise.resolve('unknown');
    };
    const answers = [];
    for (let i = 0; i < 10; i += 1) answers.push(await breaker.run(call, isUnknown));
    expect(answers.filter((answer) => answer === undefined).length).toBe(10 - calls);
    expect(calls).toBeLessThan(10);
    expect(answers.at(-1)).toBeUndefined();
    breaker.close();
  });
});
