import { expect, it } from '@jest/globals';
import { outlivesHolds } from './long-lived.ts';

const created_at = '2030-01-01T00:00:00.000Z';

it.each([
  ['2030-01-07T18:00:00.000Z', false],
  ['2030-01-07T18:00:00.001Z', true],
  ['2030-01-08T00:00:00.000Z', true],
  ['2030-01-01T01:00:00.000Z', false],
])('a group payment open until %s is marked as longer than holds last: %s (C5)', (expires_at, isMarked) => {
  expect(outlivesHolds({ created_at, expires_at })).toBe(isMarked);
});
