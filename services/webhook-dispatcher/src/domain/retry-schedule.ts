/** The retry schedule: waits between attempts, ms. The first attempt is immediate, so n steps make n + 1 requests. */
export type RetrySchedule = readonly number[];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The published schedule: 7 requests over 17 h 36 min. */
export const publishedSchedule: RetrySchedule = [
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
];

/** Spreads the retries of deliveries that failed together; never below the step, which is a promised minimum. */
const MAX_JITTER = 0.1;
/** A `Retry-After` may delay an attempt up to this multiple of its step. */
const MAX_STRETCH = 2;

/**
 * Computes the wait after the n-th attempt failed, ms; undefined when it was the last one. `random` is in [0, 1). A
 * `Retry-After` counts when it is longer than the step with its jitter, up to twice the step.
 */
export function computeWait(
  schedule: RetrySchedule,
  attempt: number,
  o: { readonly random: number; readonly retryAfterMs?: number | undefined },
): number | undefined {
  const step = schedule[attempt - 1];
  if (step === undefined) return undefined;
  const planned = step * (1 + MAX_JITTER * o.random);
  return Math.max(planned, Math.min(o.retryAfterMs ?? 0, step * MAX_STRETCH));
}

/** Reads `Retry-After`: seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) || !/[a-z]/i.test(value) ? undefined : Math.max(0, at - nowMs);
}
