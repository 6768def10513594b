import { expect, it } from '@jest/globals';
import { listColumns } from './columns.ts';

const money = (minor: string) => ({ minor, currency: 'EUR', text: minor });
const movements = (o: Record<string, string> = {}) => {
  const names = ['held', 'released', 'captured', 'refunded', 'returned', 'reversed', 'disputed'] as const;
  const all = Object.fromEntries(names.map((name) => [name, money(o[name] ?? '0')]));
  return { movements: all as Record<(typeof names)[number], ReturnType<typeof money>> };
};
const standing = (tips: string) => ({ on_hold: money('0'), net: money('9'), tips: money(tips) });
const headings = (o?: Record<string, string>, tips = '0') =>
  listColumns({
    ...movements(o),
    ...{ opening: standing('0'), closing: standing(tips), days: [] },
  }).map(({ heading }) => heading);

it('a statement’s table shows rare movements only where there is one (Q47)', () => {
  expect(headings()).toEqual(['Held', 'Captured', 'Refunded', 'On hold', 'Net']);
  expect(headings({ reversed: '1', disputed: '5' })).toEqual([
    'Held',
    'Captured',
    'Refunded',
    'Reversed',
    'In dispute',
    'On hold',
    'Net',
  ]);
});

it('a statement’s table shows tips where there are some (Q93)', () => {
  expect(headings({}, '5')).toEqual(['Held', 'Captured', 'Refunded', 'On hold', 'Net', 'Tips in net']);
});
