import type { Money, MovedMoney, ShownStatement, StandingMoney } from '../../../../src/http/api.ts';

export type AmountName = keyof MovedMoney | keyof StandingMoney;

const HEADINGS: Readonly<Record<AmountName, string>> = {
  held: 'Held',
  released: 'Released',
  captured: 'Captured',
  refunded: 'Refunded',
  returned: 'Refunds returned',
  reversed: 'Reversed',
  disputed: 'In dispute',
  on_hold: 'On hold',
  net: 'Net',
};
const MOVED = ['held', 'released', 'captured', 'refunded', 'returned', 'reversed', 'disputed'] as const;
/** Shown also where nothing of the kind moved. */
const ALWAYS: readonly AmountName[] = ['held', 'captured', 'refunded'];

/** Returns the columns of a statement's table: rare movements only where there is one, and what stands at the end of a day. */
export function listColumns({ movements }: Pick<ShownStatement, 'movements'>) {
  const moved = MOVED.filter((name) => ALWAYS.includes(name) || !isNothing(movements[name]));
  return [...moved, 'on_hold' as const, 'net' as const].map((name) => ({ name, heading: HEADINGS[name] }));
}

export const isNothing = ({ minor }: Money): boolean => minor === '0';
