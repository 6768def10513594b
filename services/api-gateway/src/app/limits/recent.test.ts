import { expect, it } from '@jest/globals';
import { Recent } from './recent.ts';

it('never holds more than it may, and forgets what was touched longest ago', () => {
  const recent = new Recent<number>(3);
  for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) recent.set(key, at);
  expect([...recent.entries()]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
