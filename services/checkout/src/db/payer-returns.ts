import { statement, type Queryable } from '@gp/pg';

const keep = statement(
  'checkout.keep-payer-return',
  `insert into payer_returns as r (payment_intent_id, group_id, address) values ($1, $2, $3)
   on conflict (payment_intent_id) do update set address = excluded.address, kept_at = clock_timestamp()
   where r.group_id = excluded.group_id`,
);
const find = statement<{ address: string }>(
  'checkout.find-payer-return',
  'select address from payer_returns where payment_intent_id = $1 and group_id = $2',
);
// Index: payer_returns_by_age.
const reap = statement<{ payment_intent_id: string }>(
  'checkout.reap-payer-returns',
  `delete from payer_returns where payment_intent_id in (
     select payment_intent_id from payer_returns where kept_at < clock_timestamp() - interval '1 day'
     order by kept_at limit 500)
   returning payment_intent_id`,
);

/** Stores where the payer of a payment returns to; the last address counts. */
export async function keepPayerReturn(
  db: Queryable,
  o: { paymentIntentId: string; groupId: string; address: string },
): Promise<void> {
  await db.query(keep, [o.paymentIntentId, o.groupId, o.address]);
}

export async function findPayerReturn(
  db: Queryable,
  o: { paymentIntentId: string; groupId: string },
): Promise<string | undefined> {
  const [row] = await db.query(find, [o.paymentIntentId, o.groupId]);
  return row?.address;
}

/** Deletes addresses that no payer returned to within a day; returns how many. */
export async function deleteOldReturns(db: Queryable): Promise<number> {
  return (await db.query(reap, [])).length;
}
