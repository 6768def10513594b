import type { Money, MovedMoney, ShownStatement, StandingMoney } from '../../../../src/http/api.ts';

export type AmountName = keyof MovedMoney | keyof StandingMoney;

export const HEADINGS: Readonly<Record<AmountName, string>> = {
  held: 'Held',
  released: 'Released',
  captured: 'Captured',
  refunded: 'Refunded',
  returned: 'Refunds returned',
  reversed: 'Reversed',
  disputed: 'In dispute',
  on_hold: 'On hold',
  net: 'Net',
  tips: 'Tips in net',
};
export const MOVED = [
  'held',
  'released',
  'captured',
  'refunded',
  'returned',
  'reversed',
  'disputed',
] as const;
/** Shown also where nothing of the kind moved. */
const ALWAYS: readonly AmountName[] = ['held', 'captured', 'refunded'];

/**
 * Returns the columns of a statement's table: rare movements only where there is one, and what stands at the end of a day, tips
 * only where there are some.
 */
export function listColumns({
  movements,
  opening,
  closing,
  days,
}: Pick<ShownStatement, 'movements' | 'opening' | 'closing' | 'days'>) {
  const moved = MOVED.filter((name) => ALWAYS.includes(name) || !isNothing(movements[name]));
  const hasTips = [opening, closing, ...days].some(({ tips }) => !isNothing(tips));
  const standing = ['on_hold', 'net', ...(hasTips ? (['tips'] as const) : [])] as const;
  return [...moved, ...standing].map((name) => ({ name, heading: HEADINGS[name] }));
}

export const isNothing = ({ minor }: Money): boolean => minor === '0';
