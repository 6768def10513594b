import { dayBound } from '../../format/instant.ts';

export type Period = { readonly since: string | undefined; readonly until?: string | undefined };

/**
 * What is asked to be recovered from the first to the last of two days. Without a last one the API's now ends it, which
 * a test clock moves: it alone says whether the end of a day lies ahead.
 */
export function periodOf(from: string, to: string): Period {
  return { since: dayBound(from, 'start'), ...(to !== '' && { until: dayBound(to, 'end') }) };
}
