import { statement, type Queryable } from '@gp/pg';
import { userFromRow, type User, type UserRow } from './users.ts';

export type PasskeyRow = {
  readonly id: string;
  readonly credential_id: string;
  readonly name: string;
  readonly is_synced: boolean;
  readonly transports: readonly string[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
};
export type NewPasskey = {
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly isSynced: boolean;
};
/** To whom a challenge was issued. */
export type ChallengeHolder = { readonly userId: string | null; readonly sessionId: string | null };
/** A passkey with the fields that a login needs, and its user. */
export type KnownPasskey = {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly user: User;
};

const list = statement<PasskeyRow>(
  'dashboard.list-passkeys',
  `select id, credential_id, name, is_synced, transports, created_at, last_used_at
   from passkeys where user_id = $1 order by created_at, id`,
);
const insert = statement<{ id: string }>(
  'dashboard.insert-passkey',
  `insert into passkeys (user_id, credential_id, public_key, counter, transports, name, is_synced)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
);
const remove = statement<{ name: string }>(
  'dashboard.delete-passkey',
  'delete from passkeys where id = $1 and user_id = $2 returning name',
);
const find = statement<UserRow & { passkey_id: string; public_key: Buffer; counter: bigint }>(
  'dashboard.find-passkey',
  `select u.id, u.merchant_id, u.email, u.role, p.id as passkey_id, p.public_key, p.counter
   from passkeys p join users u on u.id = p.user_id where p.credential_id = $1`,
);
// Two logins with one count at the same moment: the second is a copy's, or a replay.
const use = statement<{ id: string }>(
  'dashboard.use-passkey',
  `update passkeys set counter = $2, last_used_at = clock_timestamp()
   where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
);
const putChallenge = statement(
  'dashboard.insert-passkey-challenge',
  `insert into passkey_challenges (challenge_hash, user_id, session_id, ends_at)
   values ($1, $2, $3, clock_timestamp() + interval '5 minutes')`,
);
const takeChallenge = statement<{ challenge_hash: Buffer }>(
  'dashboard.take-passkey-challenge',
  `delete from passkey_challenges
   where challenge_hash = $1 and user_id is not distinct from $2 and session_id is not distinct from $3
     and ends_at > clock_timestamp()
   returning challenge_hash`,
);
const reap = statement<{ challenge_hash: Buffer }>(
  'dashboard.reap-passkey-challenges',
  `delete from passkey_challenges where challenge_hash in (
     select challenge_hash from passkey_challenges where ends_at < clock_timestamp() order by ends_at limit 1000)
   returning challenge_hash`,
);

export function listPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db.query(list, [userId]);
}

/** Stores a passkey and returns its id; undefined when it is stored already, for any user. */
export async function insertPasskey(tx: Queryable, p: NewPasskey): Promise<string | undefined> {
  const { userId, credentialId, publicKey, counter, transports, name, isSynced } = p;
  const values = [userId, credentialId, Buffer.from(publicKey), counter, transports, name, isSynced];
  return (await tx.query(insert, values))[0]?.id;
}

/** Deletes a user's passkey and returns its name; undefined when the user has none with this id. */
export async function deletePasskey(tx: Queryable, userId: string, id: string): Promise<string | undefined> {
  return (await tx.query(remove, [id, userId]))[0]?.name;
}

export async function findPasskey(db: Queryable, credentialId: string): Promise<KnownPasskey | undefined> {
  const [row] = await db.query(find, [credentialId]);
  return (
    row && {
      id: row.passkey_id,
      publicKey: row.public_key,
      counter: Number(row.counter),
      user: userFromRow(row),
    }
  );
}

/** Records a use with the device's count; returns false when that count was used before. */
export async function usePasskey(db: Queryable, id: string, counter: number): Promise<boolean> {
  return (await db.query(use, [id, counter])).length > 0;
}

/** Stores a challenge for five minutes. */
export async function insertChallenge(db: Queryable, hash: Buffer, holder: ChallengeHolder): Promise<void> {
  await db.query(putChallenge, [hash, holder.userId, holder.sessionId]);
}

/** Uses up a challenge; returns false for one that was issued to another holder, is over or was used. */
export async function useChallenge(db: Queryable, hash: Buffer, holder: ChallengeHolder): Promise<boolean> {
  return (await db.query(takeChallenge, [hash, holder.userId, holder.sessionId])).length > 0;
}

/** Deletes challenges that were not answered in time; returns how many. */
export async function deleteEndedChallenges(db: Queryable): Promise<number> {
  return (await db.query(reap, [])).length;
}
