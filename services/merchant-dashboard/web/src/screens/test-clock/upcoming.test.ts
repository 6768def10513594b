import { expect, it } from '@jest/globals';
import { describeExpiry, listUpcoming } from './upcoming.ts';

const now = new Date('2026-03-10T12:00:00.500Z');
const at = (expires_at: string) => ({ expires_at });

it('the list of upcoming expiries is ordered, soonest first, and travels past the instant, not just up to it', () => {
  const groups = [
    at('2026-03-10T14:00:00.000Z'),
    at('2026-03-10T12:00:01.500Z'),
    at('2026-03-10T11:00:00.000Z'),
  ];
  expect(listUpcoming(groups, now)).toEqual([
    { group: groups[1], seconds: 2 },
    { group: groups[0], seconds: 7_200 },
  ]);
});

it('the list of upcoming expiries never exceeds what fits on the page', () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    at(new Date(+now + (index + 1) * 1_000).toISOString()),
  );
  expect(listUpcoming(many, now)).toHaveLength(5);
});

const amount = { minor: '20000', currency: 'EUR', text: '200.00' };
it.each([
  [undefined, 'its holds are released'],
  [{ minimum_slots: 1 }, 'captured if at least 1 slot is held, released otherwise'],
  [{ minimum_slots: 3 }, 'captured if at least 3 slots are held, released otherwise'],
  [{ minimum_amount: amount }, 'captured if at least €200.00 is held, released otherwise'],
])('the list of upcoming expiries says what becomes of the holds (%j)', (minimum, words) => {
  expect(describeExpiry(minimum ? { capture_at_expiry: minimum } : {})).toBe(words);
});
