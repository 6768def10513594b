import { expect, it } from '@jest/globals';
import { quietTimes } from './quiet-times.ts';

it('a scope is quiet since its last change, and one that never changed since the beginning', () => {
  let now = 1_000;
  const quiet = quietTimes(() => now);
  now = 2_000;
  quiet.note('a');
  now = 5_000;
  expect([quiet.measure('a'), quiet.measure('b')]).toEqual([3_000, 4_000]);
});

it('after a gap in hearing no scope was quiet for longer than since then', () => {
  let now = 0;
  const quiet = quietTimes(() => now);
  quiet.note('a');
  now = 9_000;
  quiet.forget();
  now = 9_500;
  expect([quiet.measure('a'), quiet.measure('b')]).toEqual([500, 500]);
});

it('the memory is bounded: what is forgotten makes no scope quieter than it was', () => {
  let now = 0;
  const quiet = quietTimes(() => now);
  for (let n = 0; n <= 10_000; n++) {
    now = n;
    quiet.note(`scope ${n}`);
  }
  now = 10_100;
  expect([quiet.measure('scope 0'), quiet.measure('scope 10000')]).toEqual([100, 100]);
});
