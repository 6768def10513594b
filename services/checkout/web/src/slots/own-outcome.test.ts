import { describe, expect, it } from '@jest/globals';
import { findOwnOutcome } from './own-outcome.ts';

describe('what a payer reads about a share at the end', () => {
  it.each(['expired', 'capturing', 'partially_paid', 'refunded'] as const)(
    'a share whose time ran out is released, and not one that could not be charged, though the group is %s (Q90)',
    (group) => expect(findOwnOutcome('expired', group)).toBe('mineReleased'),
  );

  it('a share of a cancelled group is released', () => {
    expect(findOwnOutcome('cancelled', 'cancelled')).toBe('mineReleased');
  });

  it.each(['partially_paid', 'capture_failed', 'refunded'] as const)(
    'a share whose capture failed could not be charged, in a group that is %s (D4)',
    (group) => expect(findOwnOutcome('cancelled', group)).toBe('mineFailed'),
  );

  it.each([
    ['captured', 'minePaid'],
    ['refunded', 'mineRefunded'],
    ['preauthorised', 'mineHeld'],
  ] as const)('a share that is %s is told as %s', (state, key) => {
    expect(findOwnOutcome(state, 'partially_paid')).toBe(key);
  });
});
