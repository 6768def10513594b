import { describe, expect, it } from '@jest/globals';
import { findReminderTime } from './remind-at.ts';

const hour = 3_600_000;

describe('the time of a reminder', () => {
  it.each([
    [0.99, undefined],
    [1, 0.75],
    [8, 6],
    [96, 72],
    [168, 144],
  ])('a group that ends %d h after the hold is reminded of after %s h', (remaining, after) => {
    const heldAtMs = 1_000;
    const expected = after === undefined ? undefined : heldAtMs + after * hour;
    expect(findReminderTime(heldAtMs, heldAtMs + remaining * hour)).toBe(expected);
  });
});
