const EARLIEST_MS = 0;
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 text; returns undefined for any other. The result is moved into the years 1970 to 9999, which
 * every part of the platform can store.
 */
export function parseInstant(text: string): Date | undefined {
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS));
}
