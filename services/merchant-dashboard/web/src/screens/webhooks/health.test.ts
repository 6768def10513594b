import { expect, it } from '@jest/globals';
import { describeHealth } from './health.ts';

const health = (acknowledged: number, failed: number, pending = 0) => ({
  endpoint_id: 'e1',
  acknowledged,
  failed,
  pending,
  held: 0,
  last_acknowledged_at: null,
});

it.each([
  ['an endpoint nothing was sent to is neither well nor ill', undefined, 'neutral', 'nothing sent'],
  ['what waits for a first attempt is said', health(0, 0, 2), 'warn', '2 waiting'],
  ['all acknowledged is well', health(3, 0), 'good', '3 acknowledged'],
  [
    'a share is rounded down: one failure is never 100 %',
    health(999, 1),
    'warn',
    '99 % of 1000 acknowledged',
  ],
  ['mostly refused is ill', health(1, 3), 'bad', '25 % of 4 acknowledged'],
] as const)('the health of an endpoint: %s', (_title, given, tone, words) => {
  expect(describeHealth(given)).toEqual({ tone, words });
});
