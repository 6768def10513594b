import { setTimeout as delay } from 'node:timers/promises';
import {
  FURTHEST_AHEAD_SECONDS,
  type advanceTestClock as advanceContract,
  type RequestOf,
  type resetTestClock as resetContract,
  type TestClockView,
} from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { extendTarget, findClock, requestReset } from '../db/test-clocks.ts';

/** Left for the answer's way back. */
const MARGIN_MS = 1_000;
const LOOK_AGAIN_MS = 25;

type Parts = { readonly db: Db; readonly wakeDriver: () => void };
/** Until when (epoch ms) the caller waits for the answer. */
type Caller = { readonly deadline: number };

/** Sets a clock's target further ahead and waits for it to settle there; see the contract. */
export function advanceTestClock(o: Parts) {
  return async (
    { merchant_id: merchantId, seconds }: RequestOf<typeof advanceContract>,
    { deadline }: Caller,
  ): Promise<TestClockView> => {
    const furthestMs = FURTHEST_AHEAD_SECONDS * 1_000;
    const isTaken = await extendTarget(o.db, { merchantId, byMs: seconds * 1_000, furthestMs });
    if (!isTaken) throw validationError('seconds', 'the clock may be at most 366 days ahead; reset it first');
    o.wakeDriver();
    return settled(o.db, merchantId, deadline);
  };
}

/** Asks for the world's time and waits for it; see the contract. */
export function resetTestClock(o: Parts) {
  return async (
    { merchant_id: merchantId }: RequestOf<typeof resetContract>,
    { deadline }: Caller,
  ): Promise<TestClockView> => {
    await requestReset(o.db, merchantId);
    o.wakeDriver();
    return settled(o.db, merchantId, deadline);
  };
}

/** The clock once it has settled, or as it is when the caller has to be answered. */
async function settled(db: Db, merchantId: string, deadline: number): Promise<TestClockView> {
  for (;;) {
    const clock = await findClock(db, merchantId);
    if (clock.is_settled || Date.now() + MARGIN_MS >= deadline) return clock;
    await delay(LOOK_AGAIN_MS);
  }
}
