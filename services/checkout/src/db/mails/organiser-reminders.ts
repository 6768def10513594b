import { uuidv7 } from 'uuidv7';
import { statement, type Db, type Queryable } from '@gp/pg';

/** A payment whose payer an organiser may remind, with the hash of the address. */
export type Candidate = { readonly payment_intent_id: string; readonly addressHash: Buffer };

/**
 * An address gets at most one of an organiser's reminders of a group in six hours, and three in all. A group causes no more than
 * that for each of its slots: whoever enters strangers' addresses at the page must not have them mailed.
 */
const PAUSE_HOURS = 6;
const MOST = 3;

/** The payers of a group that may be reminded. */
export type Reminding = {
  readonly groupId: string;
  readonly slots: number;
  readonly candidates: readonly Candidate[];
};

// Indexes: mailed_payments_have_one_row_per_payment, mail_opt_outs_have_one_row_per_address,
// payer_mails_of_organisers. A skipped one did not reach anybody.
const list = statement<{ payment_intent_id: string; address_hash: Buffer }>(
  'checkout.list-remindable-payers',
  `select p.payment_intent_id, c.address_hash
   from unnest($1::uuid[], $2::bytea[]) as c (payment_intent_id, address_hash)
   join mailed_payments p on p.payment_intent_id = c.payment_intent_id
   left join lateral (
     select count(*)::int as sent, max(m.occurred_at) as last from payer_mails m
     where m.group_id = p.group_id and m.kind = 'organiser_reminder' and m.address_hash = c.address_hash
       and m.state <> 'skipped'
   ) before on true
   where before.sent < ${MOST}
     and (before.last is null or before.last <= clock_timestamp() - interval '${PAUSE_HOURS} hours')
     and not exists (
       select from mail_opt_outs o
       where o.merchant_id = p.merchant_id and o.mode = p.mode and o.address_hash = c.address_hash
     )
   limit greatest(0, $4 - (
     select count(*) from payer_mails
     where group_id = $3 and kind = 'organiser_reminder' and state <> 'skipped'
   ))`,
);
// Two requests of one organiser would each count before the other one inserts.
const lock = statement(
  'checkout.lock-organiser-reminders',
  'select pg_advisory_xact_lock(hashtextextended($1, 6))',
);
const insert = statement(
  'checkout.insert-organiser-reminders',
  `insert into payer_mails (id, event_id, payment_intent_id, group_id, kind, occurred_at, address_hash)
   select r.id, $1, r.payment_intent_id, $2, 'organiser_reminder', clock_timestamp(), r.address_hash
   from unnest($3::uuid[], $4::uuid[], $5::bytea[]) as r (id, payment_intent_id, address_hash)`,
);

const listRemindable = (q: Queryable, { groupId, slots, candidates }: Reminding) =>
  q.query(list, [
    candidates.map(({ payment_intent_id }) => payment_intent_id),
    candidates.map(({ addressHash }) => addressHash),
    groupId,
    slots * MOST,
  ]);

/** Returns how many of these payers may get a reminder now. */
export async function countRemindable(q: Queryable, reminding: Reminding): Promise<number> {
  return (await listRemindable(q, reminding)).length;
}

/** Makes a reminder due for each of these payers who may get one now; returns how many. */
export function insertOrganiserReminders(db: Db, reminding: Reminding): Promise<number> {
  const { groupId } = reminding;
  return db.transaction(async (tx) => {
    await tx.query(lock, [groupId]);
    const found = await listRemindable(tx, reminding);
    const ids = found.map(() => uuidv7());
    const intents = found.map(({ payment_intent_id }) => payment_intent_id);
    const hashes = found.map(({ address_hash }) => address_hash);
    if (found.length > 0) await tx.query(insert, [uuidv7(), groupId, ids, intents, hashes]);
    return found.length;
  });
}
