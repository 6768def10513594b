import type { ApiKeyRecord, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type ApiKeyRow = {
  key_id: string;
  digest: string;
  pepper_id: string;
  merchant_id: string;
  mode: Mode;
  revoked_at: Date | null;
  revision: bigint;
  scopes: string[] | null;
  expires_at: Date | null;
  allowed_addresses: string[] | null;
};

// A key never changes its merchant, its mode or its digest, and a revoked key stays revoked: a record that says
// otherwise is ignored like an older one, however great its revision.
const upsert = statement(
  'api-gateway.upsert-api-key',
  `insert into api_keys as k (key_id, digest, pepper_id, merchant_id, mode, revoked_at, revision,
     scopes, expires_at, allowed_addresses)
   values ($1, decode($2, 'hex'), $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (key_id) do update
     set revoked_at = excluded.revoked_at, revision = excluded.revision, scopes = excluded.scopes,
         expires_at = excluded.expires_at, allowed_addresses = excluded.allowed_addresses
     where excluded.revision > k.revision and k.merchant_id = excluded.merchant_id and k.mode = excluded.mode
       and k.digest = excluded.digest and k.revoked_at is null`,
);

// Index: api_keys_are_told_apart_by_digest.
const find = statement<ApiKeyRow>(
  'api-gateway.find-api-keys',
  `select key_id, encode(digest, 'hex') as digest, pepper_id, merchant_id, mode, revoked_at, revision,
          scopes, expires_at, allowed_addresses
   from api_keys where digest = any($1::bytea[])`,
);

/** Stores a record of one key; an older one changes nothing. */
export async function upsertApiKey(db: Queryable, record: ApiKeyRecord): Promise<void> {
  const { key_id, digest, pepper_id, merchant_id, mode, revoked_at, revision } = record;
  const { scopes = null, expires_at = null, allowed_addresses = null } = record;
  const restrictions = [scopes, expires_at, allowed_addresses];
  await db.query(upsert, [
    key_id,
    digest,
    pepper_id,
    merchant_id,
    mode,
    revoked_at,
    revision,
    ...restrictions,
  ]);
}

/** Returns the records with these digests (hex), revoked ones included, in any order. */
export async function findApiKeys(db: Queryable, digests: readonly string[]): Promise<ApiKeyRecord[]> {
  const rows = await db.query(find, [digests.map((digest) => Buffer.from(digest, 'hex'))]);
  return rows.map(({ scopes, expires_at, allowed_addresses, ...row }) => ({
    ...row,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revision: Number(row.revision),
    ...(scopes && { scopes }),
    ...(expires_at && { expires_at: expires_at.toISOString() }),
    ...(allowed_addresses && { allowed_addresses }),
  }));
}
