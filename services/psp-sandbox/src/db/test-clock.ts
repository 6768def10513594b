import { statement, type Queryable } from '@gp/pg';
import type { OwnWork, Shift } from '@gp/test-clock';

const claimAccounts = statement(
  'claim-test-accounts',
  'update accounts set merchant_id = $1 where account = any ($2) and merchant_id is distinct from $1',
);

// The books keep real time, as a gateway's do. When a test clock moves forward, the ends of holds, forms and
// waiting work are moved earlier by the same time.
const agePayments = statement(
  'age-open-payments',
  `update payments set hold_expires_at = hold_expires_at - make_interval(secs => $2::float8 / 1000),
                       created_at = created_at - make_interval(secs => $2::float8 / 1000)
   where account = any ($1) and status in ('created', 'authorised')`,
);

const shiftWorks = statement(
  'shift-works',
  `update works set due_at = works.due_at - make_interval(secs => $2::float8 / 1000)
   from payments p where p.psp_reference = works.psp_reference and p.account = any ($1)`,
);

const shiftCallbacks = statement(
  'shift-callbacks',
  `update callbacks set due_at = due_at - make_interval(secs => $2::float8 / 1000)
   where account = any ($1) and state = 'due'`,
);

const findWork = statement<{ is_due: boolean; was_due: boolean; due_in_ms: number | null }>(
  'find-test-work',
  `with open as (
     select w.due_at, false as is_sending from works w
     join payments p on p.psp_reference = w.psp_reference
     join accounts a on a.gateway = p.gateway and a.account = p.account where a.merchant_id = $1
     union all
     select c.due_at, c.state = 'sending' from callbacks c
     join accounts a on a.gateway = c.gateway and a.account = c.account
     where a.merchant_id = $1 and c.state in ('due', 'sending')
   )
   select coalesce(bool_or(is_sending or due_at <= $2), false) as is_due,
          coalesce(bool_or(due_at <= $3), false) as was_due,
          (extract(epoch from min(due_at) - $2) * 1000)::float8 as due_in_ms
   from open`,
);

/** Lets time pass for everything that is open in these accounts. */
export async function shiftTestBooks(tx: Queryable, { merchantId, accounts, byMs }: Shift): Promise<void> {
  await tx.query(claimAccounts, [merchantId, accounts]);
  for (const shift of [agePayments, shiftWorks, shiftCallbacks]) await tx.query(shift, [accounts, byMs]);
}

/** Returns the scheduled events of the merchant's payments: callbacks to send, holds that end. */
export async function findTestEvents(
  db: Queryable,
  merchantId: string,
  { now, asOf }: { now: Date; asOf: Date },
): Promise<OwnWork> {
  const [row] = await db.query(findWork, [merchantId, now, asOf]);
  return { isDue: row?.is_due ?? false, wasDue: row?.was_due ?? false, dueInMs: row?.due_in_ms ?? null };
}
