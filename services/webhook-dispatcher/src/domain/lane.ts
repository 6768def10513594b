/**
 * What one process has learnt of an endpoint. `allowance` is how many requests it may have in flight; a lane starts
 * and comes back with few and doubles with every answer, so that endpoints which hang take little of the pool.
 * After `openAfter` transport failures in a row it is open: deliveries wait, none is lost and none loses an attempt.
 */
export type Lane = {
  readonly allowance: number;
  /** Whether it answered the last request that ended: nothing is known of a lane that is new. */
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

/** The endpoint answered, whatever it said: the line is fine. */
export function afterAnswer(lane: Lane, policy: LanePolicy): Lane {
  const allowance = Math.min(policy.cap, lane.openUntilMs === null ? lane.allowance * 2 : FIRST_ALLOWANCE);
  return { allowance, isTrusted: true, failures: 0, trips: 0, openUntilMs: null };
}

/** No answer could be had. Failures of requests that left before the lane opened tell nothing new. */
export function afterFailure(lane: Lane, policy: LanePolicy, nowMs: number): Lane {
  if (lane.openUntilMs !== null && nowMs < lane.openUntilMs) return lane;
  const failures = lane.failures + 1;
  const allowance = Math.max(1, Math.floor(lane.allowance / 2));
  if (lane.openUntilMs === null && failures < policy.openAfter)
    return { ...lane, isTrusted: false, failures, allowance };
  const pause = Math.min(policy.longestPauseMs, policy.pauseMs * 2 ** Math.min(lane.trips, 30));
  return { allowance: 1, isTrusted: false, failures, trips: lane.trips + 1, openUntilMs: nowMs + pause };
}

export type LaneState = 'closed' | 'open' | 'half_open';

export function stateOf(lane: Lane, nowMs: number): LaneState {
  if (lane.openUntilMs === null) return 'closed';
  return nowMs < lane.openUntilMs ? 'open' : 'half_open';
}

/** How many requests may be in flight now: none while open, one probe when half open. */
export function allowanceOf(lane: Lane, nowMs: number): number {
  const state = stateOf(lane, nowMs);
  return state === 'open' ? 0 : state === 'half_open' ? 1 : lane.allowance;
}
