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
};

// A key never changes its merchant: a record that says otherwise is rejected like an older one.
const upsert = statement(
  'api-gateway.upsert-api-key',
  `insert into api_keys as k (key_id, digest, pepper_id, merchant_id, mode, revoked_at, revision)
   values ($1, decode($2, 'hex'), $3, $4, $5, $6, $7)
   on conflict (key_id) do update
     set digest = excluded.digest, pepper_id = excluded.pepper_id, revoked_at = excluded.revoked_at,
         revision = excluded.revision
     where excluded.revision > k.revision and k.merchant_id = excluded.merchant_id and k.mode = excluded.mode`,
);

// Index: api_keys_are_told_apart_by_digest.
const find = statement<ApiKeyRow>(
  'api-gateway.find-api-keys',
  `select key_id, encode(digest, 'hex') as digest, pepper_id, merchant_id, mode, revoked_at, revision
   from api_keys where digest = any($1::bytea[])`,
);

/** Stores a record of one key; an older one changes nothing. */
export async function upsertApiKey(db: Queryable, record: ApiKeyRecord): Promise<void> {
  const { key_id, digest, pepper_id, merchant_id, mode, revoked_at, revision } = record;
  await db.query(upsert, [key_id, digest, pepper_id, merchant_id, mode, revoked_at, revision]);
}

/** Returns the records with these digests (hex), revoked ones included, in any order. */
export async function findApiKeys(db: Queryable, digests: readonly string[]): Promise<ApiKeyRecord[]> {
  const rows = await db.query(find, [digests.map((digest) => Buffer.from(digest, 'hex'))]);
  return rows.map((row) => ({
    ...row,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revision: Number(row.revision),
  }));
}
