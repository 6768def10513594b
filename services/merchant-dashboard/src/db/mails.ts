import { statement, type Queryable } from '@gp/pg';
import type { Sealed } from '@gp/seal';

export type MailRow = {
  readonly id: string;
  readonly message_key_id: string;
  readonly message_sealed: Buffer;
  /** Tries, this one included. */
  readonly attempts: number;
  readonly written_at: Date;
};

const insert = statement(
  'dashboard.insert-mail',
  'insert into mails (id, message_key_id, message_sealed) values ($1, $2, $3)',
);
// `due_at` has milliseconds: a mail that is due at once may be due half of one later than now, unless now is rounded as well.
// A process that dies with claimed mails leaves them due again when the lease ends.
const claim = statement<MailRow>(
  'dashboard.claim-mails',
  `with due as materialized (
     select id from mails where due_at <= clock_timestamp()::timestamptz(3) order by due_at limit $2 for update skip locked
   )
   update mails m set attempts = m.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
   from due where m.id = due.id
   returning m.id, m.message_key_id, m.message_sealed, m.attempts, m.written_at`,
);
const remove = statement('dashboard.delete-mail', 'delete from mails where id = $1');
const postpone = statement(
  'dashboard.postpone-mail',
  'update mails set due_at = clock_timestamp() + make_interval(secs => $2) where id = $1',
);

export async function insertMail(db: Queryable, id: string, message: Sealed): Promise<void> {
  await db.query(insert, [id, message.keyId, message.bytes]);
}

/** Claims up to `most` mails that are due, for `leaseSeconds`. */
export async function claimMails(
  db: Queryable,
  o: { readonly leaseSeconds: number; readonly most: number },
): Promise<MailRow[]> {
  return [...(await db.query(claim, [o.leaseSeconds, o.most]))];
}

export async function deleteMail(db: Queryable, id: string): Promise<void> {
  await db.query(remove, [id]);
}

/** Makes a mail due again after a pause, seconds. */
export async function postponeMail(db: Queryable, id: string, pauseSeconds: number): Promise<void> {
  await db.query(postpone, [id, pauseSeconds]);
}
