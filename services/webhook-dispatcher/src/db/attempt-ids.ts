/** A UUIDv7 begins with 48 bits of time: attempts since an instant are those whose ids are greater than its first. */
export const ENDED_AT = `to_timestamp(('x' || substr(replace(a.id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

/** The latest of some attempts: its id, outcome, HTTP status and class of error. Ids of attempts grow with time, as text too. */
export const LATEST = 'max(array[a.id::text, a.outcome, a.http_status::text, a.error_class])';

/** Returns the smallest id that an attempt of this instant may have. */
export function computeFirstId(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
