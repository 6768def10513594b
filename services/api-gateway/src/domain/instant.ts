const EARLIEST_MS = 0;
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant a text names, undefined when it names none. Kept within the years that every
 * part of the platform can hold: nothing of ours happened before the first or will happen after the last.
 */
export function instantOf(text: string): Date | undefined {
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS));
}
