/**
 * The circuit breaker and the adaptive concurrency limit of one endpoint, in one process. `allowance` limits the requests
 * in flight: it starts small and doubles with every answer, so that endpoints which hang take little of the pool. After
 * `openAfter` transport failures in a row the lane is open: its deliveries wait, and none loses an attempt.
 */
export type Lane = {
  readonly allowance: number;
  /** Whether the endpoint answered the last request that ended; false for a new lane. */
  readonly isTrusted: boolean;
  /** Transport failures in a row. */
  readonly failures: number;
  /** How often it opened without an answer in between. */
  readonly trips: number;
  /** Until when nothing is sent, ms; null while it is closed. */
  readonly openUntilMs: number | null;
};

export type LanePolicy = {
  /** Most requests in flight to one endpoint. */
  readonly cap: number;
  readonly openAfter: number;
  /** First pause of an open lane; it doubles with each failed probe. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
};

/** Enough that a healthy endpoint is at its cap after two or three answers. */
const FIRST_ALLOWANCE = 2;

export function newLane(policy: LanePolicy): Lane {
  const allowance = Math.min(FIRST_ALLOWANCE, policy.cap);
  return { allowance, isTrusted: false, failures: 0, trips: 0, openUntilMs: null };
}

/** Returns the lane after a response of any status: the connection works. */
export function recordAnswer(lane: Lane, policy: LanePolicy): Lane {
  const allowance = Math.min(policy.cap, lane.openUntilMs === null ? lane.allowance * 2 : FIRST_ALLOWANCE);
  return { allowance, isTrusted: true, failures: 0, trips: 0, openUntilMs: null };
}

/** Returns the lane after a transport failure. Failures of requests sent before the lane opened change nothing. */
export function recordFailure(lane: Lane, policy: LanePolicy, nowMs: number): Lane {
  if (lane.openUntilMs !== null && nowMs < lane.openUntilMs) return lane;
  const failures = lane.failures + 1;
  const allowance = Math.max(1, Math.floor(lane.allowance / 2));
  if (lane.openUntilMs === null && failures < policy.openAfter)
    return { ...lane, isTrusted: false, failures, allowance };
  const pause = Math.min(policy.longestPauseMs, policy.pauseMs * 2 ** Math.min(lane.trips, 30));
  return { allowance: 1, isTrusted: false, failures, trips: lane.trips + 1, openUntilMs: nowMs + pause };
}

export type LaneState = 'closed' | 'open' | 'half_open';

export function readLaneState(lane: Lane, nowMs: number): LaneState {
  if (lane.openUntilMs === null) return 'closed';
  return nowMs < lane.openUntilMs ? 'open' : 'half_open';
}

/** Returns how many requests may be in flight now: none while open, one probe when half open. */
export function computeAllowance(lane: Lane, nowMs: number): number {
  const state = readLaneState(lane, nowMs);
  return state === 'open' ? 0 : state === 'half_open' ? 1 : lane.allowance;
}
