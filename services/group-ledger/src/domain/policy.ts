import type { PspCode } from '@gp/gateway-registry';
import { ofEachGateway } from './gateway-facts.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays of successive tries: the steps once each, then `thenEveryMs` for as long as it makes sense. */
export type Ladder = { readonly stepsMs: readonly number[]; readonly thenEveryMs: number };

export type Policy = {
  /** How long a payer may keep slots without finishing. */
  readonly reservationTtlMs: Readonly<Record<PspCode, number>>;
  /** When a prepared payment that nobody reported about is asked for, since the reservation; then hourly. */
  readonly queriesMs: Readonly<Record<PspCode, readonly number[]>>;
  /** When one that the gateway did not know is asked for once more, since the reservation. */
  readonly lateQueriesMs: Readonly<Record<PspCode, readonly number[]>>;
  readonly maxRenewals: number;
  /** Declines an intent survives: beyond them a card tester would be served. */
  readonly maxDeclines: number;
  /** Pause before a reservation that cannot expire yet is checked again. */
  readonly rearmMs: number;
  /** A hold that cannot be captured this long before it dies at the gateway is given back. */
  readonly holdMarginMs: number;
  /** Last moment for a capture call, before the gateway's own deadline. */
  readonly captureMarginMs: number;
  /** Life of a hold whose deadline the gateway did not report. */
  readonly holdWindowMs: number;
  /** When an order that nobody answered is sent again as the same try: the older the order, the longer the pause. */
  readonly silenceLadder: Ladder;
  /** First look at an authorisation that nobody reported about. */
  readonly authoriseSilenceMs: number;
  readonly unresolvedAlertMs: number;
  readonly voidAlertMs: number;
  readonly captureLadder: Ladder;
  readonly voidLadder: Ladder;
  readonly refundLadder: Ladder;
  readonly queryLadder: Ladder;
};

const captureLadder: Ladder = {
  stepsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 1 * hour, 2 * hour, 4 * hour],
  thenEveryMs: 6 * hour,
};

/** A ladder that begins with this pause, doubles it three times, and ends at 36 times as long: six hours after ten minutes. */
export function buildSilenceLadder(firstMs: number): Ladder {
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
  silenceLadder: buildSilenceLadder(10 * minute),
  // Longer than a confirm is allowed to take (25 s), so the answer in progress normally comes first.
  authoriseSilenceMs: minute,
  unresolvedAlertMs: 24 * hour,
  voidAlertMs: hour,
  captureLadder,
  // Giving money back is owed as eagerly as taking it.
  voidLadder: captureLadder,
  refundLadder: captureLadder,
  queryLadder: {
    stepsMs: [5 * second, 15 * second, minute, 5 * minute, 15 * minute, 30 * minute],
    thenEveryMs: hour,
  },
};

/** How long after `ageMs` the next of these instants comes; an hour once all are past. */
export function computePauseUntilQueryMs(queriesMs: readonly number[], ageMs: number): number {
  const next = queriesMs.find((atMs) => atMs > ageMs);
  return next === undefined ? hour : next - ageMs;
}

/** Delay before try `step` (0-based) of a ladder, without jitter. */
export function ladderDelayMs(ladder: Ladder, step: number): number {
  return ladder.stepsMs[step] ?? ladder.thenEveryMs;
}

/**
 * A pause that does not run past the moment when an operator is alerted about what began `sinceMs`: a check falls on
 * that very moment, whatever the ladder's step and its jitter are (L1).
 */
export function pauseUntilAlert(
  pauseMs: number,
  { nowMs, sinceMs, alertAfterMs }: { nowMs: number; sinceMs: number; alertAfterMs: number },
): number {
  const leftMs = sinceMs + alertAfterMs - nowMs;
  return leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs;
}

/** The delay a ladder has reached for something that began `ageMs` ago. */
export function ladderDelayAtAgeMs(ladder: Ladder, ageMs: number): number {
  let climbedMs = 0;
  for (const stepMs of ladder.stepsMs) {
    climbedMs += stepMs;
    if (climbedMs > ageMs) return stepMs;
  }
  return ladder.thenEveryMs;
}

/** How long to wait for the answer to an order before it is sent again. */
export function silenceMs(
  { nowMs, policy }: { readonly nowMs: number; readonly policy: Pick<Policy, 'silenceLadder'> },
  { requestedAtMs }: { readonly requestedAtMs: number },
): number {
  return ladderDelayAtAgeMs(policy.silenceLadder, nowMs - requestedAtMs);
}
