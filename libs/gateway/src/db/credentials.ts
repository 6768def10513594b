import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type SealedCredentials = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly version: number;
  readonly key_id: string;
  readonly sealed: Buffer;
};

export type NewCredentials = SealedCredentials & { readonly account: string; readonly is_verified: boolean };
export type CredentialsKey = { readonly merchantId: string; readonly mode: Mode; readonly version: number };

const columns = 'merchant_id, mode, version, key_id, sealed';

// The primary key decides when two replicas store a merchant's next version at once.
const insert = statement<{ version: number }>(
  'gateway.insert-credentials',
  `insert into credentials (merchant_id, mode, version, account, key_id, sealed, verified_at)
   values ($1, $2, $3, $4, $5, $6, case when $7 then clock_timestamp() end)
   on conflict (merchant_id, mode, version) do nothing returning version`,
);

const find = statement<SealedCredentials>(
  'gateway.find-credentials',
  `select ${columns} from credentials where merchant_id = $1 and mode = $2 and version = $3`,
);

const findNewest = statement<SealedCredentials & { is_verified: boolean }>(
  'gateway.find-newest-credentials',
  `select ${columns}, verified_at is not null as is_verified from credentials where merchant_id = $1 and mode = $2 order by version desc limit 1`,
);

const markVerified = statement(
  'gateway.mark-credentials-verified',
  `update credentials set verified_at = clock_timestamp()
   where merchant_id = $1 and mode = $2 and version = $3 and verified_at is null`,
);

// Older versions still sign callbacks of payments that started with them. No limit: it would let the versions of one
// merchant hide those of another. Reads credentials_verified_by_account.
const listVerified = statement<SealedCredentials>(
  'gateway.list-verified-credentials',
  `select ${columns} from credentials
   where account = $1 and ($2::text is null or mode = $2) and verified_at is not null
   order by merchant_id, mode, version desc`,
);

// The primary key leads to a merchant's later versions; a merchant enters far fewer than ten while one hold lasts.
const listNewer = statement<SealedCredentials>(
  'gateway.list-newer-credentials',
  `select ${columns} from credentials
   where merchant_id = $1 and mode = $2 and version > $3 and account = $4 and verified_at is not null
   order by version desc limit 10`,
);

const IS_USED = `exists (
  select from psp_attempts a
  where a.merchant_id = c.merchant_id and a.mode = c.mode and a.credential_version = c.version)`;

const countUnused = statement<{ count: number }>(
  'gateway.count-unused-credentials',
  `select count(*)::integer as count from credentials c where merchant_id = $1 and mode = $2 and not ${IS_USED}`,
);

// A version that was replaced a day ago begins no payment any more: the newest confirmed version is the one in use.
// Versions that were never confirmed were never in use. Reads psp_attempts_by_credentials and callbacks_due.
const deleteUnused = statement<{ version: number }>(
  'gateway.delete-unused-credentials',
  `delete from credentials c
   where exists (
       select from credentials n
       where n.merchant_id = c.merchant_id and n.mode = c.mode and n.version > c.version
         and n.created_at < clock_timestamp() - interval '1 day'
         and (n.verified_at is not null or c.verified_at is null))
     and not ${IS_USED}
     and not exists (
       select from callbacks b
       where b.state = 'stored' and b.merchant_id = c.merchant_id and b.mode = c.mode
         and b.credential_version = c.version)
   returning version`,
);

const listNames = statement<{ account: string }>(
  'gateway.list-account-names',
  `select distinct account from credentials where merchant_id = $1 and mode = $2 and verified_at is not null`,
);

/** Returns false when that version exists already. */
export async function insertCredentials(db: Queryable, c: NewCredentials): Promise<boolean> {
  const { merchant_id, mode, version, account, key_id, sealed, is_verified } = c;
  const rows = await db.query(insert, [merchant_id, mode, version, account, key_id, sealed, is_verified]);
  return rows.length > 0;
}

/** Records that the gateway confirmed a version; the first time counts. */
export async function markCredentialsVerified(db: Queryable, key: CredentialsKey): Promise<void> {
  await db.query(markVerified, [key.merchantId, key.mode, key.version]);
}

export async function findCredentials(
  db: Queryable,
  key: CredentialsKey,
): Promise<SealedCredentials | undefined> {
  return (await db.query(find, [key.merchantId, key.mode, key.version]))[0];
}

export async function findNewestCredentials(
  db: Queryable,
  key: { merchantId: string; mode: Mode },
): Promise<(SealedCredentials & { readonly is_verified: boolean }) | undefined> {
  return (await db.query(findNewest, [key.merchantId, key.mode]))[0];
}

/**
 * Returns the confirmed credentials of every merchant with this account of the gateway, in one mode or, with null,
 * in both; a merchant's newest version first.
 */
export function listVerifiedCredentials(
  db: Queryable,
  { account, mode }: { readonly account: string; readonly mode: Mode | null },
): Promise<SealedCredentials[]> {
  return db.query(listVerified, [account, mode]);
}

/** Returns how many versions the merchant has that no payment uses. */
export async function countUnusedCredentials(
  db: Queryable,
  scope: { merchantId: string; mode: Mode },
): Promise<number> {
  const [row] = await db.query(countUnused, [scope.merchantId, scope.mode]);
  return row?.count ?? 0;
}

/** Deletes the versions that were replaced a day ago and that no payment or waiting callback uses; returns how many. */
export async function deleteUnusedCredentials(db: Queryable): Promise<number> {
  return (await db.query(deleteUnused)).length;
}

/** Returns the confirmed credentials that the merchant entered later under the same account name, newest first. */
export function listNewerCredentials(
  db: Queryable,
  than: CredentialsKey & { readonly account: string },
): Promise<SealedCredentials[]> {
  return db.query(listNewer, [than.merchantId, than.mode, than.version, than.account]);
}

/** Returns every account at the gateway that the merchant has proved to have had. */
export async function listAccountNames(
  db: Queryable,
  scope: { merchantId: string; mode: Mode },
): Promise<string[]> {
  return (await db.query(listNames, [scope.merchantId, scope.mode])).map(({ account }) => account);
}
