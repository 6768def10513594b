import {
  FURTHEST_AHEAD_SECONDS,
  type advanceTestClock as advanceContract,
  type RequestOf,
  type resetTestClock as resetContract,
  type TestClockView,
} from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import type { Db, Queryable } from '@gp/pg';
import { findFingerprint, insertAdvance } from '../db/advances.ts';
import { extendTarget, findClock, requestReset } from '../db/test-clocks.ts';
import { failAfter, failBefore } from '../fail-points.ts';

type Parts = { readonly db: Db; readonly wakeDriver: () => void };
type AdvanceRequest = RequestOf<typeof advanceContract>;

/** Moves a clock's target ahead, once for each command; returns the clock, which has hardly moved yet. See the contract. */
export function advanceTestClock(o: Parts): (request: AdvanceRequest) => Promise<TestClockView> {
  return async (request) => {
    await o.db.transaction(async (tx) => {
      await extendOnce(tx, request);
      failBefore('clock-advance');
    });
    failAfter('clock-advance');
    o.wakeDriver();
    return findClock(o.db, request.merchant_id);
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

/** Requests a clock's return to real time; returns the clock. See the contract. */
export function resetTestClock(
  o: Parts,
): (request: RequestOf<typeof resetContract>) => Promise<TestClockView> {
  return async ({ merchant_id: merchantId }) => {
    await requestReset(o.db, merchantId);
    o.wakeDriver();
    return findClock(o.db, merchantId);
  };
}
