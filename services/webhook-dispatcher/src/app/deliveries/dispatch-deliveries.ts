import type { Db } from '@gp/pg';
import type { Loop, Wake } from '@gp/service';
import { metrics, type Logger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { claimDeliveries, type Claim } from '../../db/claims.ts';
import { isAnyLaneWaiting } from '../../db/closed-lanes.ts';
import type { EndedClaim, RecordedClaim } from '../../db/ended-claims.ts';
import type { ClaimAtOnce } from '../../db/events.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { releaseUnsent, type AttemptedDelivery } from './attempt-delivery.ts';
import type { LaneBook } from '../lanes/lane-book.ts';

export type Dispatching = {
  readonly db: Db;
  readonly log: Logger;
  readonly lanes: LaneBook;
  readonly attempt: (claim: Claim) => Promise<AttemptedDelivery>;
  /** Must know the claim's lease; see openClaimRecorder. */
  readonly record: (ended: EndedClaim, leaseEndsMs: number) => Promise<RecordedClaim>;
  /** Makes the partitions of the attempt log; without today's nothing could be recorded. */
  readonly ready: () => Promise<void>;
  readonly leaseMs: number;
  /** Longest time from the start of an attempt to its answer. */
  readonly deadlineMs: number;
  readonly idleMs: number;
};

export type Dispatcher = Loop & {
  wake(): void;
  /**
   * Runs a statement that stores deliveries and may claim some of them in the same commit, and sends those that it claimed.
   * Returns what it returned.
   */
  claimAtOnce<T extends { readonly claims: readonly Claim[] }>(
    store: (claim: ClaimAtOnce) => Promise<T>,
  ): Promise<T>;
  /** The lanes with most requests in flight; see LaneBook. */
  fullest: LaneBook['fullest'];
  /** Endpoints that do not answer this process; see LaneBook. */
  unresponsive: LaneBook['unresponsive'];
  /** Resolves when every request in flight has ended and is recorded. */
  close(): Promise<void>;
};

const lost = metrics.counter({
  name: 'gp_webhook_lost_claims_total',
  help: 'Attempts whose claim another worker held when they ended, or that could not be recorded in time',
  unit: 'claims',
});

/**
 * Claims due deliveries and sends them. A pass ends when its requests have started; each of them then records its own
 * result, and wakes the next pass where that may find something. Any number of replicas may run this.
 */
export function dispatchDeliveries(d: Dispatching): Dispatcher {
  const underWay = new Set<Promise<void>>();
  let wake: Wake = () => undefined;
  let isReady = false;
  let isClosed = false;
  /** The last pass left due deliveries behind, for which there is room when one under way has ended. */
  let isWaiting = false;
  /** Deliveries that statements under way may claim at once. */
  let promised = 0;

  const start = (claim: Claim, leaseEndsMs: number): void => {
    const end = d.lanes.begin(claim.endpoint_id);
    const running = deliver(d, claim, leaseEndsMs).then(({ answered, isOver, isMoreDue }) => {
      end(answered);
      underWay.delete(running);
      if (isWaiting || isMoreDue) wake();
      else if (!isOver) wake(d.idleMs);
    });
    underWay.add(running);
  };

  return {
    name: 'dispatch-deliveries',
    idleMs: d.idleMs,
    fullest: (most) => d.lanes.fullest(most),
    unresponsive: () => d.lanes.unresponsive(),
    onWake: (given) => (wake = given),
    wake: () => wake(),
    async claimAtOnce(store) {
      // Whether the endpoints are trusted shows only afterwards.
      const most = isReady && !isClosed ? Math.max(0, d.lanes.roomForUntrusted() - promised) : 0;
      const leaseEndsMs = performance.now() + d.leaseMs;
      promised += most;
      try {
        const claim = { claimId: uuidv7(), most, leaseMs: d.leaseMs, closed: d.lanes.closed() };
        if (most > 0) failBefore('claim');
        const stored = await store(claim);
        if (stored.claims.length > 0) failAfter('claim');
        for (const one of stored.claims) start(one, leaseEndsMs);
        return stored;
      } finally {
        promised -= most;
      }
    },
    async runOnce(signal) {
      if (!isReady) await d.ready();
      isReady = true;
      const most = d.lanes.room() - promised;
      // Until the pass has looked, so that a request which ends meanwhile wakes the next one.
      isWaiting = true;
      if (most <= 0) return 'idle';
      // Counted from before the claim, so that our lease ends before the database's.
      const leaseEndsMs = performance.now() + d.leaseMs;
      const closed = d.lanes.closed();
      const { claims, isMoreDue } = await claimDeliveries(d.db, {
        claimId: uuidv7(),
        most,
        leaseMs: d.leaseMs,
        closed,
        allot: (ids) => d.lanes.allot(ids),
      });
      const isFull = claims.length >= most;
      isWaiting = isFull || isMoreDue || closed.length > 0;
      if (claims.length === 0) return underWay.size > 0 || (await isAnyLaneWaiting(d.db)) ? 'idle' : 'empty';
      failAfter('claim');
      for (const claim of claims) start(claim, leaseEndsMs);
      return isMoreDue && !isFull && !signal.aborted ? 'busy' : 'idle';
    },
    async close() {
      isClosed = true;
      await Promise.all(underWay);
    },
  };
}

type Delivered = {
  /** Whether the endpoint answered; undefined when nothing was sent. */
  readonly answered: boolean | undefined;
  /** Whether the delivery needs no further attempt. */
  readonly isOver: boolean;
  /** Whether its endpoint has, or may have, another delivery that is due. */
  readonly isMoreDue: boolean;
};

/** Sends and records one delivery. Never rejects. */
async function deliver(d: Dispatching, claim: Claim, leaseEndsMs: number): Promise<Delivered> {
  let answered: boolean | undefined;
  try {
    // The process may have been frozen since the claim: then there is no time left to send under it.
    const isLate = leaseEndsMs - performance.now() <= d.deadlineMs;
    const attempted = isLate ? releaseUnsent(claim, 0) : await d.attempt(claim);
    answered = attempted.answered;
    const { isOurs, isMoreDue } = await d.record(attempted.ended, leaseEndsMs);
    if (!isOurs) lost.inc();
    logAttempt(d.log, claim, attempted.ended, isOurs);
    return { answered, isOver: attempted.ended.status === 'delivered', isMoreDue };
  } catch (err) {
    lost.inc();
    const { endpoint_id, event_id, traceparent } = claim;
    d.log.error(
      { endpoint_id, event_id, traceparent: traceparent ?? undefined, err },
      'webhook outcome not recorded, it will be sent again when its lease ends',
    );
  }
  return { answered, isOver: false, isMoreDue: true };
}

/** Logs the attempt among the payment's own lines. */
function logAttempt(
  log: Logger,
  claim: Claim,
  { status, waitMs, attempt }: EndedClaim,
  isOurs: boolean,
): void {
  if (attempt === null) return;
  const fields = {
    merchant_id: claim.merchant_id,
    mode: claim.mode,
    group_id: claim.group_id,
    endpoint_id: claim.endpoint_id,
    event_id: claim.event_id,
    event_type: claim.type,
    attempt: attempt.number,
    outcome: attempt.outcome,
    http_status: attempt.httpStatus,
    traceparent: claim.traceparent ?? undefined,
  };
  if (!isOurs) log.warn(fields, 'webhook sent after its claim had ended');
  else if (status === 'delivered') log.info(fields, 'webhook delivered');
  else if (status === 'failed') log.warn(fields, 'webhook failed for good');
  else if (status === 'resumed') log.info(fields, 'webhook resent and not acknowledged');
  else
    log.info(
      { ...fields, retry_after_ms: Math.round(waitMs ?? 0) },
      'webhook not acknowledged, trying again',
    );
}
