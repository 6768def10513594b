const EARLIEST_MS = 0;
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The instant a text names, undefined when it names none; kept within the years every part of the platform can hold. */
export function instantOf(text: string): Date | undefined {
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS));
}

/** Both bounds include what is shown: what was made at .1234 s is shown as made at .123 s. */
export function endOfMillisecond(instant: Date): string {
  return instant.toISOString().replace('Z', '999Z');
}

/** The UTC days that end with the day of `now`, oldest first, as `YYYY-MM-DD`. */
export function daysUntil(now: string, count: number): string[] {
  const today = Math.floor(Date.parse(now) / 86_400_000);
  return Array.from({ length: count }, (_, at) =>
    new Date((today - count + 1 + at) * 86_400_000).toISOString().slice(0, 10),
  );
}
