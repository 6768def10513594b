import { expect, it } from '@jest/globals';
import { Recent } from './recent.ts';

it('a bounded cache never holds more than its limit, and drops what was touched longest ago', () => {
  const recent = new Recent<number>(3);
  for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) recent.set(key, at);
  expect([...recent.entries()]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
