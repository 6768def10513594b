import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planRotation, type KeyAge } from './key-rotation.ts';

const policy = { rotateAfterMs: 1_000, leadMs: 50, lingerMs: 100 };
const at = (kid: string, signsFromMs: number): KeyAge => ({ kid, signsFromMs });

describe('the rotation of signing keys', () => {
  it('the rotation makes the first key at once, and it signs at once', () => {
    expect(planRotation([], 7, policy)).toEqual({ addFromMs: 7, remove: [] });
  });

  it('the rotation publishes the next key before it signs, and only one', () => {
    expect(planRotation([at('a', 0)], 949, policy)).toEqual({ remove: [] });
    expect(planRotation([at('a', 0)], 950, policy)).toEqual({ addFromMs: 1_000, remove: [] });
    expect(planRotation([at('a', 0), at('b', 1_000)], 960, policy)).toEqual({ remove: [] });
  });

  it('the rotation keeps a key for as long as its last token may live, and never drops the one that signs', () => {
    const keys = [at('b', 1_000), at('a', 0)];
    expect(planRotation(keys, 1_099, policy).remove).toEqual([]);
    expect(planRotation(keys, 1_100, policy).remove).toEqual(['a']);
    expect(planRotation([at('b', 1_000)], 900_000, policy).remove).toEqual([]);
  });

  it('the rotation always has a key that signs, and publishes every key that may have live tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 }), (steps) => {
        let keys: KeyAge[] = [];
        const signed: { kid: string; lastMs: number }[] = [];
        let nowMs = 0;
        for (const [n, step] of steps.entries()) {
          nowMs += step;
          const { addFromMs, remove } = planRotation(keys, nowMs, policy);
          keys = keys.filter(({ kid }) => !remove.includes(kid));
          if (addFromMs !== undefined) keys.push(at(`k${n}`, addFromMs));
          const signing = keys.filter(({ signsFromMs }) => signsFromMs <= nowMs).at(-1);
          if (!signing) throw new Error('nothing signs');
          signed.push({ kid: signing.kid, lastMs: nowMs });
          const live = signed.filter(({ lastMs }) => lastMs + policy.lingerMs > nowMs);
          expect(live.filter(({ kid }) => !keys.some((key) => key.kid === kid))).toEqual([]);
        }
      }),
    );
  });
});
