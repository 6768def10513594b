/** Formats an instant in the viewer's locale and time zone. */
export function formatInstant(iso: string, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));
}

/** Does the same with seconds. */
export function formatExactInstant(iso: string, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));
}

/** Formats the time of an instant with seconds; with its day too where it is not that of `beside`, for the viewer. */
export function formatTimeBeside(iso: string, beside: string, locale?: string, timeZone?: string): string {
  const time = { timeStyle: 'medium', ...(timeZone !== undefined && { timeZone }) } as const;
  const day = new Intl.DateTimeFormat(locale, {
    dateStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  });
  const isOfDay = day.format(new Date(iso)) === day.format(new Date(beside));
  return isOfDay
    ? new Intl.DateTimeFormat(locale, time).format(new Date(iso))
    : formatExactInstant(iso, locale, timeZone);
}

/** Formats a day (`2026-03-01`) in the viewer's locale, independent of the time zone. */
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

/** Formats the distance of an instant from `now`: `in 5 minutes`, `3 days ago`. */
export function formatDistance(iso: string, now: Date, locale?: string): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** What is due is late only after this time, ms. */
const LATE_AFTER_MS = 10_000;

/** Returns whether what was due at an instant has not been done for so long that something keeps it. */
export function isOverdue(iso: string, now: Date): boolean {
  return now.getTime() - new Date(iso).getTime() > LATE_AFTER_MS;
}

/** Formats a duration in its two largest units: `1 h 30 min`. */
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

/** Returns the first (or last) instant of a day in the viewer's time zone, for the API's filters. */
export function dayBound(day: string, edge: 'start' | 'end'): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const instant = new Date(year, month - 1, edge === 'start' ? date : date + 1);
  if (edge === 'end') instant.setMilliseconds(-1);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** Returns the viewer's day of an instant, in the format of a date field; empty when it is no instant. */
export function toDateField(iso: string | null): string {
  const instant = new Date(iso ?? Number.NaN);
  if (Number.isNaN(instant.getTime())) return '';
  const two = (count: number) => String(count).padStart(2, '0');
  return `${instant.getFullYear()}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}
