import { statement, type Queryable } from '@gp/pg';
import type { OwnWork, Shift } from '@gp/test-clock';
import { RESTING_AFTER_TRIES } from './callbacks.ts';

// A payment that is invisible at the gateway counts as absent after a while; only rows younger than that matter.
// A call in progress takes real time, whatever a merchant's clock shows.
const ageAttempts = statement(
  'gateway.age-test-attempts',
  `update psp_attempts set started_at = started_at - make_interval(secs => $2::float8 / 1000)
   where merchant_id = $1 and mode = 'test' and state <> 'started'
     and started_at > clock_timestamp() - make_interval(secs => $3::float8 / 1000)`,
);

const shiftCallbacks = statement(
  'gateway.shift-test-callbacks',
  `update callbacks set due_at = due_at - make_interval(secs => $2::float8 / 1000)
   where merchant_id = $1 and mode = 'test' and state = 'stored' and tries > ${RESTING_AFTER_TRIES}`,
);

const IS_DUE = `(tries <= ${RESTING_AFTER_TRIES} or due_at <= clock_timestamp())`;

const findWork = statement<{ is_due: boolean; was_due: boolean; due_in_ms: number | null }>(
  'gateway.find-test-work',
  `select coalesce(bool_or(is_due), false) as is_due,
          coalesce(bool_or(is_due and received_at <= $2), false) as was_due,
          (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as due_in_ms
   from (
     select ${IS_DUE} as is_due, received_at, due_at from callbacks
     where merchant_id = $1 and mode = 'test' and state = 'stored'
     union all
     select true, received_at, due_at from waiting_orders where merchant_id = $1 and mode = 'test') work`,
);

/** Makes a merchant's young attempts older, and the next tries of waiting callbacks earlier. */
export async function shiftTestRows(
  tx: Queryable,
  { merchantId, byMs, settleWindowMs }: Shift & { readonly settleWindowMs: number },
): Promise<void> {
  await tx.query(ageAttempts, [merchantId, byMs, settleWindowMs]);
  await tx.query(shiftCallbacks, [merchantId, byMs]);
}

/** Finds callbacks that are not applied and orders that are not carried out yet. */
export async function findTestWork(db: Queryable, merchantId: string, asOf: Date): Promise<OwnWork> {
  const [row] = await db.query(findWork, [merchantId, asOf]);
  return { isDue: row?.is_due ?? false, wasDue: row?.was_due ?? false, dueInMs: row?.due_in_ms ?? null };
}
