/**
 * Returns the end of the millisecond that is shown, so that both bounds are inclusive: an instant of .1234 s is
 * shown as .123 s.
 */
export function endOfMillisecond(instant: Date): string {
  return instant.toISOString().replace('Z', '999Z');
}

/** Returns an instant in UTC as it may be part of the name of a file: `20260131T235959Z`. */
export function formatInstantForName(instant: Date): string {
  return instant.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Returns the UTC days that end with the day of `now`, oldest first, as `YYYY-MM-DD`. */
export function daysUntil(now: string, count: number): string[] {
  const today = Math.floor(Date.parse(now) / 86_400_000);
  return Array.from({ length: count }, (_, at) =>
    new Date((today - count + 1 + at) * 86_400_000).toISOString().slice(0, 10),
  );
}
