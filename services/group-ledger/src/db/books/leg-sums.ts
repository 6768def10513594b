/** The accounts of what a merchant has: what was captured for slots, and tips. */
export const MERCHANT = `'merchant:captured', 'merchant:tips'`;

/** Columns of posting_sums: accounts and the sign of the legs that are summed. Tips are a part of what was captured. */
const COLUMNS = [
  ['held_in', `'group:held'`, '>'],
  ['held_out', `'group:held'`, '<'],
  ['captured_in', MERCHANT, '>'],
  ['captured_out', MERCHANT, '<'],
  ['refunded_in', `'payer:refunded'`, '>'],
  ['refunded_out', `'payer:refunded'`, '<'],
  ['tips_in', `'merchant:tips'`, '>'],
  ['tips_out', `'merchant:tips'`, '<'],
] as const;

export type LegSumColumns = Readonly<Record<(typeof COLUMNS)[number][0], bigint>>;

export const columnNames: readonly string[] = COLUMNS.map(([name]) => name);

/** Sums of the legs of postings `p`, as the columns of posting_sums. */
export const SUM_OF_LEGS = COLUMNS.map(
  ([name, accounts, sign]) =>
    `coalesce(abs(sum(p.amount_minor) filter (where p.account in (${accounts}) and p.amount_minor ${sign} 0)), 0)::bigint as ${name}`,
).join(', ');

/** Postings with what they are summed by; the fourth account follows from the others. */
export const LEGS = `postings p join groups g on g.id = p.group_id join intents i on i.id = p.intent_id`;
export const IS_SUMMED = `p.account <> 'payer:authorised'`;

/** The quarter of an hour of a posting: days of every time zone begin at one. */
export const QUARTER = `date_bin('15 minutes', p.posted_at, timestamptz '2000-01-01T00:00:00Z')`;
