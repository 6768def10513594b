import { describe, expect, it } from '@jest/globals';
import { formatRights } from './organiser-rights.ts';

describe('the rights of an organiser in words', () => {
  it.each([
    [[], 'see who is missing, pay what is left'],
    [['extend'], 'see who is missing, pay what is left, extend the time to pay'],
    [
      ['remind', 'extend', 'cancel'],
      'see who is missing, pay what is left, remind payers by mail, extend the time to pay, cancel the group payment',
    ],
  ] as const)('the rights %j of an organiser are written after what every organiser may do', (may, words) => {
    expect(formatRights(may)).toBe(words);
  });
});
