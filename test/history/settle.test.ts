import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { comesToRest } from './settle.ts';

const DEBTS = [{ what: 'comparisons of books', many: 2 }];
const withinMs = 1_500;

let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

/** Answers each query for what is owed with the next of these lists, then always with the last one; each query takes 1 s. */
function platform(...owed: (typeof DEBTS)[]): Parameters<typeof comesToRest>[0] {
  const rest = [...owed];
  const query = () => {
    now += 1_000;
    return Promise.resolve({ rows: rest.length > 1 ? rest.shift() : rest[0] });
  };
  return { query } as unknown as Parameters<typeof comesToRest>[0];
}

it('a platform has the whole time again after time was moved on', async () => {
  let hours = 2;
  const hurry = () => Promise.resolve(hours-- > 0);
  await comesToRest(platform(DEBTS, DEBTS, DEBTS, []), { withinMs, hurry });
  expect(hours).toBeLessThan(0);
});

it('a platform that owes something after its time is reported with what it owes', async () => {
  const rest = comesToRest(platform(DEBTS), { withinMs, hurry: () => Promise.resolve(false) });
  await expect(rest).rejects.toThrow('still owed: 2 comparisons of books');
});
