import type { Locale } from '@gp/checkout-web/bootstrap';
import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/** A payment whose payer may get mails. */
export type MailedPayment = {
  readonly payment_intent_id: string;
  readonly group_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly locale: Locale;
  readonly written_as: string;
};

/** A mail's link, resolved. */
export type LinkedPayment = MailedPayment & {
  /** Whether its hold was announced to its payer, or would have been. */
  readonly was_held: boolean;
  readonly address_hash: Buffer;
  readonly is_opted_out: boolean;
};

const insert = statement(
  'checkout.insert-mailed-payment',
  `insert into mailed_payments (payment_intent_id, group_id, merchant_id, mode, locale, written_as)
   values ($1, $2, $3, $4, $5, $6) on conflict (payment_intent_id) do nothing`,
);
// Index: payer_mails_have_one_row_per_token.
const findByToken = statement<LinkedPayment>(
  'checkout.find-mailed-payment-by-token',
  `select p.payment_intent_id, p.group_id, p.merchant_id, p.mode, p.locale, p.written_as, m.address_hash,
     exists (
       select from mail_opt_outs o
       where o.merchant_id = p.merchant_id and o.mode = p.mode and o.address_hash = m.address_hash
     ) as is_opted_out,
     exists (
       select from payer_mails h where h.payment_intent_id = p.payment_intent_id and h.kind = 'held'
     ) as was_held
   from payer_mails m join mailed_payments p using (payment_intent_id)
   where m.token_hash = $1`,
);
const optOut = statement(
  'checkout.opt-out-of-mails',
  `insert into mail_opt_outs (merchant_id, mode, address_hash) values ($1, $2, $3)
   on conflict (merchant_id, mode, address_hash) do nothing`,
);
const optIn = statement(
  'checkout.opt-in-to-mails',
  'delete from mail_opt_outs where merchant_id = $1 and mode = $2 and address_hash = $3',
);
// Index: mailed_payments_by_age. The mails go with their payment.
const reap = statement<{ payment_intent_id: string }>(
  'checkout.reap-mailed-payments',
  `delete from mailed_payments where payment_intent_id in (
     select payment_intent_id from mailed_payments where noted_at < clock_timestamp() - interval '400 days'
     order by noted_at limit 500)
   returning payment_intent_id`,
);

/** Notes a payment whose payer may get mails; of a repeated one the first language counts. */
export async function insertMailedPayment(db: Queryable, p: MailedPayment): Promise<void> {
  const { payment_intent_id, group_id, merchant_id, mode, locale, written_as } = p;
  await db.query(insert, [payment_intent_id, group_id, merchant_id, mode, locale, written_as]);
}

/** Returns the payment of a mail's link. */
export async function findPaymentByToken(
  db: Queryable,
  tokenHash: Buffer,
): Promise<LinkedPayment | undefined> {
  return (await db.query(findByToken, [tokenHash]))[0];
}

/** Ends the mails to an address about payments to a merchant, or lets them go on; repeatable. */
export async function changeOptOut(
  db: Queryable,
  { merchant_id, mode, address_hash }: LinkedPayment,
  mails: 'on' | 'off',
): Promise<void> {
  await db.query(mails === 'off' ? optOut : optIn, [merchant_id, mode, address_hash]);
}

/** Deletes payments that were noted 400 days ago, with their mails; returns how many. */
export async function deleteOldMailedPayments(db: Queryable): Promise<number> {
  return (await db.query(reap, [])).length;
}
