import { statement, type Queryable } from '@gp/pg';

/** Second factors that a user may give beside the password. */
export type SecondFactor = 'code' | 'passkey';

export type SecondFactorRow = {
  readonly secret_key_id: string;
  readonly secret_sealed: Buffer;
  readonly confirmed_at: Date | null;
  readonly codes_left: bigint;
};

const find = statement<SecondFactorRow>(
  'dashboard.find-second-factor',
  `select f.secret_key_id, f.secret_sealed, f.confirmed_at,
          (select count(*) from recovery_codes c where c.user_id = f.user_id) as codes_left
   from second_factors f where f.user_id = $1`,
);
const listKinds = statement<{ kind: SecondFactor }>(
  'dashboard.list-second-factors',
  `select 'code' as kind from second_factors where user_id = $1 and confirmed_at is not null
   union all select 'passkey' where exists (select from passkeys where user_id = $1)`,
);
// An active one is never replaced: it has to be removed first.
const put = statement<{ user_id: string }>(
  'dashboard.put-second-factor',
  `insert into second_factors as f (user_id, secret_key_id, secret_sealed) values ($1, $2, $3)
   on conflict (user_id) do update set secret_key_id = excluded.secret_key_id, secret_sealed = excluded.secret_sealed,
     last_step = 0
   where f.confirmed_at is null returning user_id`,
);
// Accepts a time step once, and no earlier one: a code that an onlooker has seen cannot be used again.
const take = statement<{ user_id: string }>(
  'dashboard.take-totp-step',
  `update second_factors set last_step = $2, confirmed_at = coalesce(confirmed_at, clock_timestamp())
   where user_id = $1 and last_step < $2 returning user_id`,
);
const remove = statement<{ user_id: string }>(
  'dashboard.delete-second-factor',
  'delete from second_factors where user_id = $1 returning user_id',
);
const dropCodes = statement(
  'dashboard.delete-recovery-codes',
  'delete from recovery_codes where user_id = $1',
);
const insertCodes = statement(
  'dashboard.insert-recovery-codes',
  'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])',
);
const useCode = statement<{ user_id: string }>(
  'dashboard.use-recovery-code',
  'delete from recovery_codes where user_id = $1 and code_hash = $2 returning user_id',
);

export async function findSecondFactor(db: Queryable, userId: string): Promise<SecondFactorRow | undefined> {
  return (await db.query(find, [userId]))[0];
}

/** Returns the kinds of second factor that a user has. */
export async function listSecondFactors(db: Queryable, userId: string): Promise<SecondFactor[]> {
  return (await db.query(listKinds, [userId])).map(({ kind }) => kind);
}

/** Stores a secret that is not active yet; returns false when the user has an active one. */
export async function putSecondFactor(
  db: Queryable,
  userId: string,
  sealed: { keyId: string; bytes: Buffer },
): Promise<boolean> {
  return (await db.query(put, [userId, sealed.keyId, sealed.bytes])).length > 0;
}

/**
 * Uses up a time step; returns false when it, or a later one, was used before. The first one activates the secret.
 */
export async function takeStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  return (await db.query(take, [userId, step])).length > 0;
}

/** Deletes a second factor with its recovery codes; returns whether there was one. */
export async function deleteSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query(remove, [userId])).length > 0;
}

/** Replaces the recovery codes by new ones. */
export async function replaceRecoveryCodes(
  tx: Queryable,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(dropCodes, [userId]);
  await tx.query(insertCodes, [userId, hashes]);
}

/** Uses up a recovery code; returns whether it was valid. */
export async function useRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  return (await db.query(useCode, [userId, hash])).length > 0;
}
