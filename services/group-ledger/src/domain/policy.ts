import type { PspCode } from '@gp/gateway-registry';
import { ofEachGateway } from './gateway-facts.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays of successive tries: the steps once each, then `thenEveryMs` for as long as it makes sense. */
export type RetrySchedule = { readonly stepsMs: readonly number[]; readonly thenEveryMs: number };

export type Policy = {
  /** How long a payer may keep slots without finishing. */
  readonly reservationTtlMs: Readonly<Record<PspCode, number>>;
  /** When a prepared payment without a report is queried, since the reservation; then hourly. */
  readonly queriesMs: Readonly<Record<PspCode, readonly number[]>>;
  /** When one that the gateway reported absent is queried once more, since the reservation. */
  readonly lateQueriesMs: Readonly<Record<PspCode, readonly number[]>>;
  readonly maxRenewals: number;
  /** Declines an intent survives: beyond them a card tester would be served. */
  readonly maxDeclines: number;
  /** Pause before a reservation that cannot expire yet is checked again. */
  readonly rearmMs: number;
  /** A hold that cannot be captured this long before its end at the gateway is released. */
  readonly holdMarginMs: number;
  /** Last moment for a capture call, before the gateway's own deadline. */
  readonly captureMarginMs: number;
  /** Life of a hold whose deadline the gateway did not report. */
  readonly holdWindowMs: number;
  /** When an order without an outcome is sent again as the same try: the older the order, the longer the pause. */
  readonly silenceSchedule: RetrySchedule;
  /** First query of an authorization without a report. */
  readonly authoriseSilenceMs: number;
  readonly unresolvedAlertMs: number;
  readonly voidAlertMs: number;
  readonly captureSchedule: RetrySchedule;
  readonly voidSchedule: RetrySchedule;
  readonly refundSchedule: RetrySchedule;
  readonly querySchedule: RetrySchedule;
};

const captureSchedule: RetrySchedule = {
  stepsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 1 * hour, 2 * hour, 4 * hour],
  thenEveryMs: 6 * hour,
};

/** Builds a schedule that begins with this pause, doubles it three times, and ends at 36 times as long: six hours after ten minutes. */
export function buildSilenceSchedule(firstMs: number): RetrySchedule {
  return { stepsMs: [firstMs, 2 * firstMs, 4 * firstMs, 8 * firstMs], thenEveryMs: 36 * firstMs };
}

export const defaultPolicy: Policy = {
  reservationTtlMs: ofEachGateway((facts) => facts.reservationTtlMs),
  queriesMs: ofEachGateway((facts) => facts.queriesMs),
  lateQueriesMs: ofEachGateway((facts) => facts.lateQueriesMs),
  maxRenewals: 2,
  maxDeclines: 5,
  rearmMs: 2 * minute,
  holdMarginMs: 2 * hour,
  captureMarginMs: 15 * minute,
  holdWindowMs: 7 * 24 * hour,
  silenceSchedule: buildSilenceSchedule(10 * minute),
  // Longer than a confirm is allowed to take (25 s), so the answer in progress normally comes first.
  authoriseSilenceMs: minute,
  unresolvedAlertMs: 24 * hour,
  voidAlertMs: hour,
  captureSchedule,
  // Refunds are retried as often as captures.
  voidSchedule: captureSchedule,
  refundSchedule: captureSchedule,
  querySchedule: {
    stepsMs: [5 * second, 15 * second, minute, 5 * minute, 15 * minute, 30 * minute],
    thenEveryMs: hour,
  },
};

/** How long after `ageMs` the next of these instants comes; an hour once all are past. */
export function computePauseUntilQueryMs(queriesMs: readonly number[], ageMs: number): number {
  const next = queriesMs.find((atMs) => atMs > ageMs);
  return next === undefined ? hour : next - ageMs;
}

/** Returns the delay before try `step` (0-based) of a schedule, without jitter. */
export function computeDelayMs(schedule: RetrySchedule, step: number): number {
  return schedule.stepsMs[step] ?? schedule.thenEveryMs;
}

/**
 * A pause that does not run past the moment when an operator is alerted about what began `sinceMs`: a check falls on
 * that very moment, whatever the schedule's step and its jitter are (L1).
 */
export function pauseUntilAlert(
  pauseMs: number,
  { nowMs, sinceMs, alertAfterMs }: { nowMs: number; sinceMs: number; alertAfterMs: number },
): number {
  const leftMs = sinceMs + alertAfterMs - nowMs;
  return leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs;
}

/** Returns the delay a schedule has reached for something that began `ageMs` ago. */
export function computeDelayAtAgeMs(schedule: RetrySchedule, ageMs: number): number {
  let climbedMs = 0;
  for (const stepMs of schedule.stepsMs) {
    climbedMs += stepMs;
    if (climbedMs > ageMs) return stepMs;
  }
  return schedule.thenEveryMs;
}

/** Returns how long to wait for the outcome of an order before it is sent again. */
export function silenceMs(
  { nowMs, policy }: { readonly nowMs: number; readonly policy: Pick<Policy, 'silenceSchedule'> },
  { requestedAtMs }: { readonly requestedAtMs: number },
): number {
  return computeDelayAtAgeMs(policy.silenceSchedule, nowMs - requestedAtMs);
}
