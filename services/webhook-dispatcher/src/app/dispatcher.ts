import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Logger } from '@gp/telemetry';
import type { LanePolicy } from '../domain/lane.ts';
import type { PoolPolicy } from '../domain/pool.ts';
import type { Poster } from '../outbound/post.ts';
import { attemptDelivery } from './deliveries/attempt-delivery.ts';
import { dispatchDeliveries, type Dispatcher } from './deliveries/dispatch-deliveries.ts';
import { openLaneBook } from './lanes/lane-book.ts';
import { openClaimRecorder } from './deliveries/record-ended-claims.ts';
import { keepPartitions } from './retention.ts';

export type DispatcherSettings = {
  readonly maxInFlight: number;
  readonly laneCap: number;
  readonly deadlineMs: number;
  readonly leaseMs: number;
  readonly pollIntervalMs: number;
  /** Waits between attempts, ms, separated by commas. */
  readonly retryLadderMs: string;
};

/** Five failures in a row are no accident; a first pause short enough for a restart, the longest for an outage. */
const breaker = { openAfter: 5, pauseMs: 5_000, longestPauseMs: 60_000 } satisfies Partial<LanePolicy>;

/** Most endpoints answer in a tenth of it; what hangs gives its place in the pool back after this time. */
const SLOW_MS = 1_000;
/** A slow request costs a socket and some memory and no work: there may be more of them. */
const SLOW_PER_PLACE = 3;

function sizePool(most: number): PoolPolicy {
  return { most, aside: SLOW_PER_PLACE * most, slowMs: SLOW_MS };
}

/** Puts the dispatcher together: lanes, one attempt, its record, and the loop that claims. */
export function dispatcher(o: {
  readonly db: Db;
  readonly log: Logger;
  readonly seal: Seal;
  readonly poster: Poster;
  readonly config: DispatcherSettings;
  readonly lanePolicy?: Partial<LanePolicy>;
}): Dispatcher {
  const { db, log, seal, poster, config } = o;
  const policy = { cap: config.laneCap, ...breaker, ...o.lanePolicy };
  return dispatchDeliveries({
    db,
    log,
    lanes: openLaneBook(policy, sizePool(config.maxInFlight), () => performance.now()),
    attempt: attemptDelivery({ poster, seal, log, schedule: config.retryLadderMs.split(',').map(Number) }),
    record: openClaimRecorder({ db, log, maxQueued: (1 + SLOW_PER_PLACE) * config.maxInFlight }),
    ready: () => keepPartitions(db),
    leaseMs: config.leaseMs,
    deadlineMs: config.deadlineMs,
    idleMs: config.pollIntervalMs,
  });
}
