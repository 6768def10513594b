import { statement, type Queryable } from '@gp/pg';

/** The data that the link of a sign-up refers to. */
export type SignUp = {
  readonly merchant_name: string;
  readonly email: string;
  readonly password_hash: string;
};

const insertSignUpRow = statement(
  'dashboard.insert-sign-up',
  `insert into sign_ups (token_hash, merchant_name, email, password_hash, expires_at)
   values ($1, $2, $3, $4, clock_timestamp() + interval '24 hours')`,
);
const takeSignUpRow = statement<SignUp>(
  'dashboard.take-sign-up',
  `delete from sign_ups where token_hash = $1 and expires_at > clock_timestamp()
   returning merchant_name, email, password_hash`,
);
// A newer link ends the older ones.
const insertResetRow = statement(
  'dashboard.insert-password-reset',
  `with older as (delete from password_resets where email = $2)
   insert into password_resets (token_hash, email, expires_at)
   values ($1, $2, clock_timestamp() + interval '1 hour')`,
);
const findResetRow = statement<{ email: string }>(
  'dashboard.find-password-reset',
  `select r.email from password_resets r join users u on u.email = r.email
   where r.token_hash = $1 and r.expires_at > clock_timestamp()`,
);
// Taking one link takes all links of its user: the older mails no longer work then.
const takeResetRow = statement<{ user_id: string; merchant_id: string; email: string }>(
  'dashboard.take-password-reset',
  `with gone as (
     delete from password_resets where email = (
       select email from password_resets where token_hash = $1 and expires_at > clock_timestamp() for update
     ) returning email, token_hash
   ) select u.id as user_id, u.merchant_id, u.email from gone join users u on u.email = gone.email
   where gone.token_hash = $1`,
);
const reap = statement<{ gone: bigint }>(
  'dashboard.reap-mailed',
  `with a as (delete from sign_ups where expires_at <= clock_timestamp() returning 1),
        b as (delete from password_resets where expires_at <= clock_timestamp() returning 1),
        c as (delete from invitations where expires_at <= clock_timestamp() - interval '30 days' returning 1)
   select (select count(*) from a) + (select count(*) from b) + (select count(*) from c) as gone`,
);

export async function insertSignUp(db: Queryable, tokenHash: Buffer, o: SignUp): Promise<void> {
  await db.query(insertSignUpRow, [tokenHash, o.merchant_name, o.email, o.password_hash]);
}

/** Uses up the link of a sign-up; returns undefined when it is unknown, used or too old. */
export async function takeSignUp(tx: Queryable, tokenHash: Buffer): Promise<SignUp | undefined> {
  return (await tx.query(takeSignUpRow, [tokenHash]))[0];
}

export async function insertReset(db: Queryable, tokenHash: Buffer, email: string): Promise<void> {
  await db.query(insertResetRow, [tokenHash, email]);
}

/** Returns whose link of a reset this is; undefined when it is unknown, used or too old. */
export async function findReset(db: Queryable, tokenHash: Buffer): Promise<{ email: string } | undefined> {
  return (await db.query(findResetRow, [tokenHash]))[0];
}

/** Uses up the link of a reset, and every other of the same user; returns the user. */
export async function takeReset(
  tx: Queryable,
  tokenHash: Buffer,
): Promise<{ user_id: string; merchant_id: string; email: string } | undefined> {
  return (await tx.query(takeResetRow, [tokenHash]))[0];
}

/** Deletes links that are too old. */
export async function deleteExpired(db: Queryable): Promise<number> {
  return Number((await db.query(reap))[0]?.gone ?? 0n);
}
