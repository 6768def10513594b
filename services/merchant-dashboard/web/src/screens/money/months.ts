/** A month, `2026-01`. */
export type Month = string;

const SHOWN = 24;

/** Returns the month of a day (`2026-01-31`). */
export const findMonth = (day: string): Month => day.slice(0, 7);

/** Returns the first day of a month: a statement from it ends with the month. */
export const findFirstDay = (month: Month): string => `${month}-01`;

/** Returns the months that a picker offers, newest first: the last two years, and `chosen` where it is another one. */
export function listMonths(now: Date, chosen: Month): Month[] {
  const months = Array.from({ length: SHOWN }, (_, ago) => {
    const month = new Date(Date.UTC(now.getFullYear(), now.getMonth() - ago, 1));
    return findMonth(month.toISOString());
  });
  return months.includes(chosen) ? months : [...months, chosen].toSorted().reverse();
}

/** Formats a month in the viewer's language: `January 2026`. */
export function formatMonth(month: Month, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** Returns whether a text of the address names a month. */
export const isMonth = (text: string): boolean => /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text);
