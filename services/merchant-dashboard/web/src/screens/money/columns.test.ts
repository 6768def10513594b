import { expect, it } from '@jest/globals';
import { listColumns } from './columns.ts';

const money = (minor: string) => ({ minor, currency: 'EUR', text: minor });
const movements = (o: Record<string, string> = {}) => {
  const names = ['held', 'released', 'captured', 'refunded', 'returned', 'reversed', 'disputed'] as const;
  const all = Object.fromEntries(names.map((name) => [name, money(o[name] ?? '0')]));
  return { movements: all as Record<(typeof names)[number], ReturnType<typeof money>> };
};
const headings = (o?: Record<string, string>) => listColumns(movements(o)).map(({ heading }) => heading);

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
