/** An instant in the viewer's locale and time zone. */
export function formatInstant(iso: string, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));
}

/** A day (`2026-03-01`) in the viewer's locale: the same day wherever that is. */
export function formatDay(day: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How far an instant is from `now`: `in 5 minutes`, `3 days ago`. */
export function formatDistance(iso: string, now: Date, locale?: string): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** A length of time in its two largest units: `1 h 30 min`. */
export function formatSpan(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [Math.floor(seconds % 60), 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** The first (or last) instant of a day as the viewer's calendar has it: what a filter by day asks the API. */
export function dayBound(day: string, edge: 'start' | 'end'): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const instant = new Date(year, month - 1, edge === 'start' ? date : date + 1);
  if (edge === 'end') instant.setMilliseconds(-1);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** The viewer's day of an instant, as a date field wants it; empty for what is no instant. */
export function dayOf(iso: string | null): string {
  const instant = new Date(iso ?? Number.NaN);
  if (Number.isNaN(instant.getTime())) return '';
  const two = (count: number) => String(count).padStart(2, '0');
  return `${instant.getFullYear()}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}
