import type { KeyScope, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type ApiKeyRow = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly digest: Buffer;
  readonly pepperId: string;
  readonly last4: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** The rights of the key; null for all. */
  readonly scopes: readonly KeyScope[] | null;
  /** When the key ends, as its maker chose; null for never. */
  readonly expiresAt: Date | null;
  /** Networks in CIDR form from which the key may be used; none for any. */
  readonly allowedAddresses: readonly string[];
  /** When a rolled key ends. */
  readonly endsAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
  /** The maker was a member of the team and is not any more. */
  readonly hasMakerLeft: boolean;
};

type Stored = {
  id: string;
  merchant_id: string;
  mode: Mode;
  name: string;
  digest: Buffer;
  pepper_id: string;
  last4: string;
  created_by: string;
  created_at: Date;
  ends_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_from: string | null;
  scopes: KeyScope[] | null;
  expires_at: Date | null;
  allowed_addresses: string[];
  has_maker_left: boolean;
};

const COLUMNS = `id, merchant_id, mode, name, digest, pepper_id, last4, created_by, created_at, ends_at, revoked_at,
  last_used_at, last_used_from, scopes, expires_at, allowed_addresses,
  created_by like '%@%' and not exists (
    select from users u where u.merchant_id = api_keys.merchant_id and u.email = api_keys.created_by
  ) as has_maker_left`;
const insert = statement<Stored>(
  'dashboard.insert-api-key',
  `insert into api_keys (id, merchant_id, mode, name, digest, pepper_id, last4, created_by, scopes, expires_at,
     allowed_addresses)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`,
);
const revoke = statement<Stored>(
  'dashboard.revoke-api-key',
  `update api_keys set revoked_at = clock_timestamp()
   where merchant_id = $1 and id = $2 and revoked_at is null returning ${COLUMNS}`,
);
const end = statement<Stored>(
  'dashboard.end-api-key',
  `update api_keys set ends_at = clock_timestamp() + $3 * interval '1 second'
   where merchant_id = $1 and id = $2 and revoked_at is null and ends_at is null returning ${COLUMNS}`,
);
// Served by the indexes api_keys_ending and api_keys_expiring. Skips rows that another replica has locked.
const lockEnded = statement<Stored>(
  'dashboard.lock-ended-api-key',
  `select ${COLUMNS} from api_keys
   where (ends_at <= clock_timestamp() or expires_at <= clock_timestamp()) and revoked_at is null
   limit 1 for update skip locked`,
);
// Each part is the first entry of an index: api_keys_ending and api_keys_expiring.
const nextEnd = statement<{ wait_ms: number | null }>(
  'dashboard.next-end-of-api-key',
  `select (extract(epoch from least(
       (select min(ends_at) from api_keys where ends_at is not null and revoked_at is null),
       (select min(expires_at) from api_keys where expires_at is not null and revoked_at is null)
     ) - clock_timestamp()) * 1000)::float8 as wait_ms`,
);
const noteUse = statement(
  'dashboard.note-key-use',
  `update api_keys set last_used_at = $4, last_used_from = $5
   where id = $3 and merchant_id = $1 and mode = $2 and (last_used_at is null or last_used_at < $4)`,
);
const find = statement<Stored>(
  'dashboard.find-api-key',
  `select ${COLUMNS} from api_keys where merchant_id = $1 and id = $2`,
);
const list = statement<Stored>(
  'dashboard.list-api-keys',
  `select ${COLUMNS} from api_keys where merchant_id = $1 and mode = $2 order by created_at desc, id desc`,
);

const liveOf = statement<{ id: string }>(
  'dashboard.list-live-keys-of-maker',
  'select id from api_keys where merchant_id = $1 and created_by = $2 and revoked_at is null order by id',
);

export async function insertApiKey(
  tx: Queryable,
  key: Omit<ApiKeyRow, 'createdAt' | 'endsAt' | 'revokedAt' | 'lastUsedAt' | 'lastUsedFrom' | 'hasMakerLeft'>,
): Promise<ApiKeyRow> {
  const { id, merchantId, mode, name, digest, pepperId, last4, createdBy } = key;
  const { scopes, expiresAt, allowedAddresses } = key;
  const restrictions = [scopes, expiresAt, allowedAddresses];
  const values = [id, merchantId, mode, name, digest, pepperId, last4, createdBy, ...restrictions];
  const [row] = await tx.query(insert, values);
  if (!row) throw new Error('an inserted API key was not returned');
  return fromRow(row);
}

/** Revokes a key of this merchant; returns undefined when there is none that is still live. */
export async function revokeApiKeyRow(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query(revoke, [merchantId, id]);
  return row && fromRow(row);
}

/**
 * Sets a key to end in so many seconds; returns undefined when there is no live key, or when it has an end
 * already.
 */
export async function endApiKeyRow(
  tx: Queryable,
  merchantId: string,
  id: string,
  seconds: number,
): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query(end, [merchantId, id, seconds]);
  return row && fromRow(row);
}

/** Returns in how many ms the next key ends, 0 or less when one has; undefined when none will. */
export async function findNextKeyEnd(db: Queryable): Promise<number | undefined> {
  return (await db.query(nextEnd))[0]?.wait_ms ?? undefined;
}

/** Returns and locks a key whose end has come, until the transaction ends. */
export async function lockEndedKey(tx: Queryable): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query(lockEnded);
  return row && fromRow(row);
}

/** Stores the latest use of a key; an older report changes nothing. */
export async function noteKeyUse(
  db: Queryable,
  use: { merchant_id: string; mode: Mode; key_id: string; last_used_at: string; address: string },
): Promise<void> {
  await db.query(noteUse, [use.merchant_id, use.mode, use.key_id, use.last_used_at, use.address]);
}

export async function findApiKey(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await db.query(find, [merchantId, id]);
  return row && fromRow(row);
}

export async function listApiKeys(db: Queryable, merchantId: string, mode: Mode): Promise<ApiKeyRow[]> {
  return (await db.query(list, [merchantId, mode])).map(fromRow);
}

/** Returns the ids of the live keys that one member made, in both modes. */
export async function listLiveKeyIds(
  db: Queryable,
  merchantId: string,
  createdBy: string,
): Promise<string[]> {
  return (await db.query(liveOf, [merchantId, createdBy])).map(({ id }) => id);
}

function fromRow(row: Stored): ApiKeyRow {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    mode: row.mode,
    name: row.name,
    digest: row.digest,
    pepperId: row.pepper_id,
    last4: row.last4,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses,
    hasMakerLeft: row.has_maker_left,
  };
}
