import { performance } from 'node:perf_hooks';

/** What a crowd of clients saw of the platform while a drill was played, and what it compared afterwards. */
export type Report = {
  /** Requests to the platform's public hosts, those that were repeated counted each time. */
  readonly requests: number;
  /** A sentence for each request that got no answer or one that is not a success. */
  readonly failures: readonly string[];
  /** When the last of them ended, ms since 1970. */
  readonly lastFailureAt?: number;
  /** Longest time in which no request succeeded, ms. */
  readonly longestStallMs: number;
  readonly slowestMs: number;
  readonly groups: {
    readonly paid: number;
    /** A sentence for each group that was not paid within two minutes. */
    readonly unpaid: readonly string[];
    /** Longest way from the creation to the state `paid`, ms. */
    readonly slowestMs: number;
  };
  readonly webhooks: {
    /** Groups that were paid and of which no event said so. */
    readonly missing: readonly string[];
    readonly repeated: number;
  };
  /** Where the gateways' books, the API and the ledger disagree. */
  readonly contradictions: readonly string[];
};

/** A request that ended, in the clock of the process that sent it. */
export type Exchange = { readonly endedAt: number; readonly ms: number; readonly failure?: string };

/** Sums exchanges up; `until` is when the last could have ended. */
export function summarizeExchanges(
  exchanges: readonly Exchange[],
  since: number,
  until: number,
): Pick<Report, 'requests' | 'failures' | 'lastFailureAt' | 'longestStallMs' | 'slowestMs'> {
  const successes = exchanges.filter(({ failure }) => failure === undefined).map(({ endedAt }) => endedAt);
  const failed = exchanges.filter(({ failure }) => failure !== undefined).map(({ endedAt }) => endedAt);
  const times = [since, ...successes.toSorted((a, b) => a - b), until];
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return {
    requests: exchanges.length,
    failures: exchanges.flatMap(({ failure }) => failure ?? []),
    ...(failed.length > 0 && { lastFailureAt: Math.round(performance.timeOrigin + Math.max(...failed)) }),
    longestStallMs: Math.round(Math.max(...gaps)),
    slowestMs: Math.round(Math.max(0, ...exchanges.map(({ ms }) => ms))),
  };
}
