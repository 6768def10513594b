import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { comesToRest } from './settle.ts';

const DEBTS = [{ what: 'comparisons of books', many: 2 }];
const times = { withinMs: 1_500, lookEveryMs: 0 };

let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

type Owed = readonly { what: string; many: number }[];

/** Answers each query for what is owed, which takes 1 s, with the next of these lists, then always with the last one. */
function platform(...owed: readonly Owed[]): Parameters<typeof comesToRest>[0] {
  return follow((turn) => owed[Math.min(turn, owed.length - 1)] ?? []);
}

/** The same, with a clock that may move on with each query. */
function follow(owed: (turn: number) => Owed, o = { msPerTurn: 0 }): Parameters<typeof comesToRest>[0] {
  let turn = 0;
  const query = (sql: string) => {
    if (sql.includes('as moved')) return Promise.resolve({ rows: [{ moved: String(turn * o.msPerTurn) }] });
    now += 1_000;
    return Promise.resolve({ rows: owed(turn++) });
  };
  return { query } as unknown as Parameters<typeof comesToRest>[0];
}

it('a platform has the whole time again after time was moved on', async () => {
  let hours = 2;
  const hurry = () => Promise.resolve(hours-- > 0);
  await comesToRest(platform(DEBTS, DEBTS, DEBTS, []), { ...times, hurry });
  expect(hours).toBeLessThan(0);
});

it('a platform that owes something after its time is reported with what it owes', async () => {
  const rest = comesToRest(platform(DEBTS), { ...times, hurry: () => Promise.resolve(false) });
  await expect(rest).rejects.toThrow('still owed: 2 comparisons of books');
});

it('a platform has the whole time again while less is owed, and while its clocks move', async () => {
  const hurry = () => Promise.resolve(false);
  const fewer = (turn: number) => [{ what: 'events on their way', many: Math.max(0, 4 - turn) }];
  await comesToRest(follow(fewer), { ...times, hurry });
  const clocks = (turn: number) => [{ what: 'clocks on their way', many: turn < 4 ? 1 : 0 }];
  await comesToRest(follow(clocks, { msPerTurn: 60_000 }), { ...times, hurry });
});

it('a platform whose clocks never arrive is reported', async () => {
  const clocks = () => [{ what: 'clocks on their way', many: 1 }];
  const rest = comesToRest(follow(clocks, { msPerTurn: 60_000 }), {
    ...times,
    hurry: () => Promise.resolve(false),
  });
  await expect(rest).rejects.toThrow('still owed: 1 clocks on their way');
});
