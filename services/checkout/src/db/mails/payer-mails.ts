import { uuidv7 } from 'uuidv7';
import { statement, type Db, type Queryable } from '@gp/pg';
import type { MailKind, SkipReason } from '../../domain/mails/payer-mail.ts';
import type { MailedPayment } from './mailed-payments.ts';

/** A mail that is due. */
export type DueMail = MailedPayment & {
  readonly id: string;
  readonly kind: MailKind;
  readonly occurred_at: Date;
  /** Whether the payment's hold was announced to its payer, or would have been. */
  readonly was_held: boolean;
  /** Tries, this one included. */
  readonly attempts: number;
  readonly now: Date;
};

/** How many mails an address, and all payers of a merchant's test mode, get at most. */
export type MailLimits = {
  readonly perAddressAndHour: number;
  readonly perAddressGroupAndDay: number;
  readonly perTestMerchantAndDay: number;
};

const insert = statement(
  'checkout.insert-payer-mails',
  `insert into payer_mails (id, event_id, payment_intent_id, group_id, kind, occurred_at)
   select k.id, $1, p.payment_intent_id, p.group_id, k.kind, $3
   from mailed_payments p, unnest($4::uuid[], $5::text[]) as k (id, kind)
   where p.payment_intent_id = $2
   on conflict do nothing`,
);
// Index: payer_mails_by_group. Their time is computed when they are due.
const moveReminders = statement(
  'checkout.move-reminders',
  `update payer_mails set due_at = clock_timestamp(), changed_at = clock_timestamp()
   where group_id = $1 and kind = 'reminder' and state = 'due'`,
);
// Index: payer_mails_by_due_time. A process that dies before `sending` leaves the mail due again when the lease ends: it was
// not handed over.
const claim = statement<DueMail>(
  'checkout.claim-payer-mails',
  `with due as materialized (
     select id from payer_mails where state = 'due' and due_at <= clock_timestamp()::timestamptz(3)
     order by due_at limit $2 for update skip locked
   )
   update payer_mails m
   set attempts = m.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1), changed_at = clock_timestamp()
   from due, mailed_payments p
   where m.id = due.id and p.payment_intent_id = m.payment_intent_id
   returning m.id, m.kind, m.occurred_at, m.attempts, clock_timestamp() as now,
     p.payment_intent_id, p.group_id, p.merchant_id, p.mode, p.locale, p.written_as,
     exists (
       select from payer_mails h where h.payment_intent_id = p.payment_intent_id and h.kind = 'held'
     ) as was_held`,
);
const wait = statement(
  'checkout.postpone-payer-mail',
  `update payer_mails set due_at = to_timestamp($2::double precision / 1000), attempts = $3, changed_at = clock_timestamp()
   where id = $1 and state = 'due'`,
);
// Both by the try: where the lease has ended, another process has the mail, and may be handing it over.
const retry = statement(
  'checkout.retry-payer-mail',
  `update payer_mails set state = 'due', due_at = clock_timestamp() + make_interval(secs => $3),
     changed_at = clock_timestamp()
   where id = $1 and attempts = $2 and state in ('due', 'sending')`,
);
const conclude = statement(
  'checkout.conclude-payer-mail',
  `update payer_mails set state = $3, reason = $4, changed_at = clock_timestamp()
   where id = $1 and attempts = $2 and state in ('due', 'sending')`,
);
// One process at a time counts the mails of an address, and of a merchant's test mode.
const lock = statement(
  'checkout.lock-mail-limits',
  `select pg_advisory_xact_lock(hashtextextended(k, 5)) from unnest($1::text[]) as k order by k`,
);
// Indexes: payer_mails_by_address, mailed_payments_of_test_mode.
const admit = statement<{ is_opted_out: boolean; hourly: number; daily: number; testing: number }>(
  'checkout.count-payer-mails',
  `select
     exists (select from mail_opt_outs where merchant_id = $2 and mode = $3 and address_hash = $1) as is_opted_out,
     (select count(*)::int from payer_mails
      where address_hash = $1 and changed_at > clock_timestamp() - interval '1 hour'
        and state in ('sending', 'sent', 'unknown')) as hourly,
     (select count(*)::int from payer_mails
      where address_hash = $1 and group_id = $4 and changed_at > clock_timestamp() - interval '1 day'
        and state in ('sending', 'sent', 'unknown')) as daily,
     case when $3 = 'live' then 0 else (
       select count(*)::int from mailed_payments p join payer_mails m using (payment_intent_id)
       where p.merchant_id = $2 and p.mode = $3 and m.changed_at > clock_timestamp() - interval '1 day'
         and m.state in ('sending', 'sent', 'unknown')) end as testing`,
);
const begin = statement<{ id: string }>(
  'checkout.begin-payer-mail',
  `update payer_mails set state = 'sending', address_hash = $2, token_hash = $3, changed_at = clock_timestamp()
   where id = $1 and state = 'due' and attempts = $4
   returning id`,
);
// Index: payer_mails_by_start_of_sending. Longer ago than a try takes: its process died, or could not store the result.
const sweep = statement<{ id: string }>(
  'checkout.sweep-payer-mails',
  `update payer_mails set state = 'unknown', changed_at = clock_timestamp()
   where state = 'sending' and changed_at < clock_timestamp() - make_interval(secs => $1)
   returning id`,
);

/** Notes the mails that an event of a payment causes, once each; none of a payment that was not noted. */
export async function insertPayerMails(
  db: Queryable,
  o: { eventId: string; paymentIntentId: string; occurredAt: string; kinds: readonly MailKind[] },
): Promise<void> {
  const ids = o.kinds.map(() => uuidv7());
  await db.query(insert, [o.eventId, o.paymentIntentId, o.occurredAt, ids, [...o.kinds]]);
}

/** Makes the reminders of a group due, so that their time is computed again. */
export async function recomputeReminders(db: Queryable, groupId: string): Promise<void> {
  await db.query(moveReminders, [groupId]);
}

/** Claims up to `most` mails that are due, for `leaseSeconds`. */
export async function claimPayerMails(
  db: Queryable,
  o: { readonly leaseSeconds: number; readonly most: number },
): Promise<DueMail[]> {
  return [...(await db.query(claim, [o.leaseSeconds, o.most]))];
}

/** Leaves a mail until an instant, as if it had not been tried yet. */
export async function waitUntil(db: Queryable, id: string, untilMs: number): Promise<void> {
  await db.query(wait, [id, untilMs, 0]);
}

/** One try of a mail. What it stores changes nothing once another try has begun. */
export type MailTry = Pick<DueMail, 'id' | 'attempts'>;

/** Makes a mail that was not handed over due again. */
export async function retryPayerMail(db: Queryable, { id, attempts }: MailTry, pauseSeconds: number) {
  await db.query(retry, [id, attempts, pauseSeconds]);
}

type Conclusion = 'sent' | 'refused' | 'given_up' | 'unknown';

/** Stores what became of a mail. */
export async function concludePayerMail(db: Queryable, { id, attempts }: MailTry, state: Conclusion) {
  await db.query(conclude, [id, attempts, state, null]);
}

export async function skipPayerMail(db: Queryable, { id, attempts }: MailTry, reason: SkipReason) {
  await db.query(conclude, [id, attempts, 'skipped', reason]);
}

/**
 * Commits that a mail is about to be handed over; returns why it may not be. `gone`: another process has it, because the lease
 * ended.
 */
export function beginSending(
  db: Db,
  mail: DueMail,
  o: { readonly addressHash: Buffer; readonly tokenHash: Buffer; readonly limits: MailLimits },
): Promise<'begun' | 'gone' | SkipReason> {
  const { merchant_id, mode, group_id, id, attempts } = mail;
  const { addressHash, tokenHash, limits } = o;
  return db.transaction(async (tx) => {
    await tx.query(lock, [
      [addressHash.toString('hex'), ...(mode === 'test' ? [`test ${merchant_id}`] : [])],
    ]);
    const [counted] = await tx.query(admit, [addressHash, merchant_id, mode, group_id]);
    if (!counted) throw new Error('a count has one row');
    if (counted.is_opted_out) return 'unsubscribed';
    const isFull =
      counted.hourly >= limits.perAddressAndHour ||
      counted.daily >= limits.perAddressGroupAndDay ||
      counted.testing >= limits.perTestMerchantAndDay;
    if (isFull) return 'limited';
    const begun = await tx.query(begin, [id, addressHash, tokenHash, attempts]);
    return begun.length === 1 ? 'begun' : 'gone';
  });
}

/** Calls mails unknown that have been handed over for longer than `seconds`; returns how many. */
export async function sweepSending(db: Queryable, seconds: number): Promise<number> {
  return (await db.query(sweep, [seconds])).length;
}
