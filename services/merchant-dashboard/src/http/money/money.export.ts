import { csvLine } from '../../domain/csv.ts';
import type { Money, ShownStatement, StandingMoney, StatementPage } from '../api.ts';

const MOVED = ['held', 'released', 'captured', 'refunded', 'returned', 'reversed', 'disputed'] as const;
const STANDING = ['on_hold', 'net', 'tips'] as const;
type Amounts = Readonly<Partial<Record<(typeof MOVED)[number] | (typeof STANDING)[number], Money>>>;

/**
 * Yields a statement as CSV: for each gateway and currency the opening balance, a line for each day with a movement, the sums of
 * these, and the closing balance. Amounts have all decimals of their currency. Each line has the time zone of the days and whether
 * the period is over, for lines that are copied into another sheet.
 */
export function* asCsv({ from, to, time_zone, is_final, statements }: StatementPage): Generator<string> {
  yield csvLine([
    'line',
    'date',
    'psp_code',
    'currency',
    ...[...MOVED, ...STANDING].map((name) => `amount_${name}`),
    'time_zone',
    'is_final',
  ]);
  for (const statement of statements) {
    const line = (name: string, date: string, amounts: Amounts) => {
      const texts = [...MOVED, ...STANDING].map((each) => amounts[each]?.text ?? '');
      const { psp_code, currency } = statement;
      return csvLine([name, date, psp_code, currency, ...texts, time_zone, String(is_final)]);
    };
    yield line('opening', from, statement.opening);
    for (const { day, ...amounts } of statement.days) yield line('day', day, amounts);
    yield line('movements', to, statement.movements);
    yield line('closing', to, statement.closing);
  }
}

/** Yields a statement as JSON, in the form of the public API but with amounts as decimal texts, which no reader rounds. */
export function* asJson(
  { from, to, time_zone, is_final, statements }: StatementPage,
  isTestMode: boolean,
): Generator<string> {
  const period = JSON.stringify({ from, to, time_zone, is_test_mode: isTestMode, is_final });
  yield `${period.slice(0, -1)},"statements":[`;
  for (const [index, statement] of statements.entries())
    yield (index === 0 ? '' : ',') + JSON.stringify(plainStatement(statement));
  yield ']}\n';
}

function plainStatement({ psp_code, currency, opening, movements, closing, days }: ShownStatement) {
  const standing = (amounts: StandingMoney) => plainAmounts(STANDING, amounts);
  return {
    psp_code,
    currency,
    opening: standing(opening),
    movements: plainAmounts(MOVED, movements),
    closing: standing(closing),
    days: days.map((day) => ({ date: day.day, ...plainAmounts(MOVED, day), ...standing(day) })),
  };
}

function plainAmounts(names: readonly (keyof Amounts)[], amounts: Amounts): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`amount_${name}`, amounts[name]?.text ?? '']));
}
