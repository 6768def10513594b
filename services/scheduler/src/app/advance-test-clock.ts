import { setTimeout as delay } from 'node:timers/promises';
import {
  FURTHEST_AHEAD_SECONDS,
  type advanceTestClock as advanceContract,
  type RequestOf,
  type resetTestClock as resetContract,
  type TestClockView,
} from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import { isUnavailable, type Db, type Queryable } from '@gp/pg';
import { findFingerprint, insertAdvance } from '../db/advances.ts';
import { extendTarget, findClock, requestReset } from '../db/test-clocks.ts';
import { failAfter, failBefore } from '../fail-points.ts';

/** Time kept for a last look and for the answer's way back, ms. */
const MARGIN_MS = 2_000;
const LOOK_AGAIN_MS = 25;
/** Pause between two looks while the database is away, ms. */
const AWAY_MS = 250;

type Parts = { readonly db: Db; readonly wakeDriver: () => void };
/** The instant (epoch ms) until which the caller waits for the answer. */
type Caller = { readonly deadline: number };
type AdvanceRequest = RequestOf<typeof advanceContract>;

/** Moves a clock's target ahead, once for each command, and waits until the clock settles there; see the contract. */
export function advanceTestClock(o: Parts) {
  return async (request: AdvanceRequest, { deadline }: Caller): Promise<TestClockView> => {
    await o.db.transaction(async (tx) => {
      await extendOnce(tx, request);
      failBefore('clock-advance');
    });
    failAfter('clock-advance');
    o.wakeDriver();
    return waitUntilSettled(o.db, request.merchant_id, deadline);
  };
}

async function extendOnce(tx: Queryable, request: AdvanceRequest): Promise<void> {
  const { command_id, fingerprint, merchant_id: merchantId, seconds } = request;
  if (!(await insertAdvance(tx, request))) {
    if ((await findFingerprint(tx, command_id)) !== fingerprint) throw new AppError('idempotency_key_reused');
    return;
  }
  const furthestMs = FURTHEST_AHEAD_SECONDS * 1_000;
  const isTaken = await extendTarget(tx, { merchantId, byMs: seconds * 1_000, furthestMs });
  if (!isTaken) throw validationError('seconds', 'the clock may be at most 366 days ahead; reset it first');
}

/** Returns a clock to real time and waits until it settles there; see the contract. */
export function resetTestClock(o: Parts) {
  return async (
    { merchant_id: merchantId }: RequestOf<typeof resetContract>,
    { deadline }: Caller,
  ): Promise<TestClockView> => {
    await requestReset(o.db, merchantId);
    o.wakeDriver();
    return waitUntilSettled(o.db, merchantId, deadline);
  };
}

/**
 * Resolves with the clock once it has settled, or as it is shortly before the deadline. The request is stored already, so
 * this also waits for a database that goes away meanwhile.
 */
async function waitUntilSettled(db: Db, merchantId: string, deadline: number): Promise<TestClockView> {
  for (;;) {
    const isOver = Date.now() + MARGIN_MS >= deadline;
    const clock = await findClock(db, merchantId).catch((error: unknown) => {
      if (isOver || !isUnavailable(error)) throw error;
      return undefined;
    });
    if (clock && (clock.is_settled || isOver)) return clock;
    await delay(clock ? LOOK_AGAIN_MS : AWAY_MS);
  }
}
