import type { TestClockView } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/** A clock as its worker uses it. Times are ms as numbers: a year is far below 2⁵³. */
export type TestClock = {
  readonly merchantId: string;
  readonly targetMs: number;
  readonly aheadMs: number;
  readonly releasedMs: number;
  readonly revision: number;
  readonly isResetting: boolean;
};

type ClockRow = {
  merchant_id: string;
  target_ms: bigint;
  ahead_ms: bigint;
  released_ms: bigint;
  revision: bigint;
  is_resetting: boolean;
};

type ViewRow = { now: Date; released_ms: bigint; target_ms: bigint; is_settled: boolean };

const COLUMNS = 'merchant_id, target_ms, ahead_ms, released_ms, revision, is_resetting';

const find = statement<ViewRow>(
  'scheduler.find-test-clock',
  `select clock_timestamp() + make_interval(secs => coalesce(c.released_ms, 0)::float8 / 1000) as now,
          coalesce(c.released_ms, 0) as released_ms, coalesce(c.target_ms, 0) as target_ms,
          coalesce(c.is_settled, true) as is_settled
   from (values ($1::text)) as asked (merchant_id) left join test_clocks c using (merchant_id)`,
);

const addToTarget = statement<{ target_ms: bigint }>(
  'scheduler.advance-test-clock',
  `insert into test_clocks as c (merchant_id, target_ms) values ($1, $2)
   on conflict (merchant_id) do update set target_ms = c.target_ms + excluded.target_ms, is_settled = false
   where c.target_ms + excluded.target_ms <= $3
   returning target_ms`,
);

const askReset = statement(
  'scheduler.reset-test-clock',
  `update test_clocks set is_resetting = true, target_ms = 0, is_settled = false
   where merchant_id = $1 and (ahead_ms > 0 or target_ms > 0)`,
);

// The clock that waited longest comes first, so that one merchant's long way does not delay the others.
const claim = statement<ClockRow>(
  'scheduler.claim-test-clock',
  `update test_clocks set worker = $1, leased_until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
   where merchant_id = (
     select merchant_id from test_clocks
     where not is_settled and (leased_until is null or leased_until <= clock_timestamp())
     order by worked_at limit 1 for update skip locked)
   returning ${COLUMNS}`,
);

const findUnsettled = statement<{ is_unsettled: boolean }>(
  'scheduler.find-unsettled-test-clock',
  'select exists (select from test_clocks where not is_settled) as is_unsettled',
);

const renew = statement<ClockRow>(
  'scheduler.renew-test-clock',
  `update test_clocks set leased_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
   where merchant_id = $1 and worker = $2 and not is_settled
   returning ${COLUMNS}`,
);

const leave = statement(
  'scheduler.leave-test-clock',
  `update test_clocks set worker = null, leased_until = null, worked_at = clock_timestamp()
   where merchant_id = $1 and worker = $2`,
);

const move = statement(
  'scheduler.move-test-clock',
  'update test_clocks set ahead_ms = $2, revision = revision + 1 where merchant_id = $1 and revision = $3',
);

const release = statement<{ merchant_id: string }>(
  'scheduler.release-test-clock',
  `update test_clocks set released_ms = ahead_ms
   where merchant_id = $1 and revision = $2 and released_ms <> ahead_ms
   returning merchant_id`,
);

// The new revision refuses the move of a slower worker, which read the clock before it was reset.
const finishReset = statement(
  'scheduler.finish-reset-of-test-clock',
  `update test_clocks set is_resetting = false, revision = revision + 1
   where merchant_id = $1 and revision = $2 and ahead_ms = 0 and released_ms = 0`,
);

const shiftTimersBack = statement(
  'scheduler.shift-timers-back',
  `update timers set due_at = due_at - make_interval(secs => $2::float8 / 1000)
   where merchant_id = $1 and mode = 'test' and state = 'armed'`,
);

const settle = statement<{ merchant_id: string }>(
  'scheduler.settle-test-clock',
  `update test_clocks set is_settled = true
   where merchant_id = $1 and revision = $2 and not is_resetting and ahead_ms = target_ms and released_ms = target_ms
   returning merchant_id`,
);

// Index timers_armed_of_a_test_merchant.
const findDue = statement<{ due_in_ms: number | null }>(
  'scheduler.find-next-test-timer',
  `select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 - $2::float8 as due_in_ms
   from timers where merchant_id = $1 and mode = 'test' and state = 'armed'`,
);

const readTime = statement<{ now: Date }>('scheduler.now', 'select clock_timestamp() as now');

/** Reads the time of the database, which decides what is due. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const [row] = await db.query(readTime, []);
  if (!row) throw new Error('the query returned no row');
  return row.now;
}

/** Finds the merchant's clock as the API shows it; a clock that was never moved shows real time. */
export async function findClock(db: Queryable, merchantId: string): Promise<TestClockView> {
  const [row] = await db.query(find, [merchantId]);
  if (!row) throw new Error('the query returned no row');
  const releasedMs = Number(row.released_ms);
  const remainingMs = Math.max(0, Number(row.target_ms) - releasedMs);
  const { is_settled } = row;
  return { now: row.now.toISOString(), ahead_ms: releasedMs, remaining_ms: remainingMs, is_settled };
}

/** Moves the target ahead; returns false when it would be beyond `furthestMs`. */
export async function extendTarget(
  db: Queryable,
  o: { merchantId: string; byMs: number; furthestMs: number },
): Promise<boolean> {
  return (await db.query(addToTarget, [o.merchantId, o.byMs, o.furthestMs])).length > 0;
}

/** Requests a return to real time; changes nothing for a clock that shows it. */
export async function requestReset(db: Queryable, merchantId: string): Promise<void> {
  await db.query(askReset, [merchantId]);
}

/** Claims, for `leaseMs`, the clock that waited longest among those that have not settled. */
export async function claimClock(
  db: Queryable,
  worker: string,
  leaseMs: number,
): Promise<TestClock | undefined> {
  return toTestClock((await db.query(claim, [worker, leaseMs]))[0]);
}

/** Whether any clock has still to move, be it in another worker's hands. */
export async function isAnyClockUnsettled(db: Queryable): Promise<boolean> {
  return (await db.query(findUnsettled))[0]?.is_unsettled === true;
}

/** Renews the lease on a clock and reads it; undefined when it has settled or another worker has it. */
export async function renewClock(
  db: Queryable,
  o: { merchantId: string; worker: string; leaseMs: number },
): Promise<TestClock | undefined> {
  return toTestClock((await db.query(renew, [o.merchantId, o.worker, o.leaseMs]))[0]);
}

export async function leaveClock(db: Queryable, merchantId: string, worker: string): Promise<void> {
  await db.query(leave, [merchantId, worker]);
}

/** Stores the next position of a clock. No timer falls due by it before `releaseClock`. */
export async function moveClockTo(db: Queryable, clock: TestClock, aheadMs: number): Promise<void> {
  await db.query(move, [clock.merchantId, aheadMs, clock.revision]);
}

/**
 * Lets timers use the announced position. When a clock goes back, its timers move with it: each keeps the time it had left,
 * and an owner sets a timer again that is due at a fixed instant. Call it in a transaction.
 */
export async function releaseClock(tx: Queryable, clock: TestClock): Promise<void> {
  const isReleased = (await tx.query(release, [clock.merchantId, clock.revision])).length > 0;
  const backMs = clock.releasedMs - clock.aheadMs;
  if (isReleased && backMs > 0) await tx.query(shiftTimersBack, [clock.merchantId, backMs]);
}

/** Ends the reset of a clock that shows real time again. */
export async function endReset(db: Queryable, { merchantId, revision }: TestClock): Promise<void> {
  await db.query(finishReset, [merchantId, revision]);
}

/** Marks the clock as settled; returns false when its target has moved meanwhile. */
export async function settleClock(db: Queryable, { merchantId, revision }: TestClock): Promise<boolean> {
  return (await db.query(settle, [merchantId, revision])).length > 0;
}

/** Returns the time until the merchant's next test timer, ms: negative when it is overdue, null when there is none. */
export async function nextTimerInMs(db: Queryable, clock: TestClock): Promise<number | null> {
  const [row] = await db.query(findDue, [clock.merchantId, clock.releasedMs]);
  return row?.due_in_ms ?? null;
}

function toTestClock(row: ClockRow | undefined): TestClock | undefined {
  return (
    row && {
      merchantId: row.merchant_id,
      targetMs: Number(row.target_ms),
      aheadMs: Number(row.ahead_ms),
      releasedMs: Number(row.released_ms),
      revision: Number(row.revision),
      isResetting: row.is_resetting,
    }
  );
}
