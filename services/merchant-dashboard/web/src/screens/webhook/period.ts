import { dayBound } from '../../format/instant.ts';

export type Period = { readonly since: string | undefined; readonly until?: string | undefined };

/**
 * Returns the period to recover, from the first to the last of two days. Without a last day the API ends it at its
 * current time, which a test clock moves: only the API knows whether the end of a day is in the future.
 */
export function toPeriod(from: string, to: string): Period {
  return { since: dayBound(from, 'start'), ...(to !== '' && { until: dayBound(to, 'end') }) };
}
