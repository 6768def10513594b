import { expect, it } from '@jest/globals';
import { comesToRest } from './settle.ts';

const DEBTS = [{ what: 'comparisons of books', many: 2 }];

/** Answers each question about what is owed with the next of these lists, and with the last one from then on. */
function platform(...owed: (typeof DEBTS)[]): Parameters<typeof comesToRest>[0] {
  const rest = [...owed];
  const query = () => Promise.resolve({ rows: rest.length > 1 ? rest.shift() : rest[0] });
  return { query } as unknown as Parameters<typeof comesToRest>[0];
}

it('a platform has the whole time again after time was moved on', async () => {
  let hours = 2;
  const hurry = () => Promise.resolve(hours-- > 0);
  await comesToRest(platform(DEBTS, DEBTS, DEBTS, []), { withinMs: 1_500, hurry });
  expect(hours).toBeLessThan(0);
});

it('a platform that owes something after its time is reported with what it owes', async () => {
  const rest = comesToRest(platform(DEBTS), { withinMs: 1_500, hurry: () => Promise.resolve(false) });
  await expect(rest).rejects.toThrow('still owed: 2 comparisons of books');
});
