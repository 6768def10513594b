import type { Mode } from '@gp/contracts';
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
  readonly revokedAt: Date | null;
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
  revoked_at: Date | null;
};

const COLUMNS = 'id, merchant_id, mode, name, digest, pepper_id, last4, created_by, created_at, revoked_at';
const insert = statement<Stored>(
  'dashboard.insert-api-key',
  `insert into api_keys (id, merchant_id, mode, name, digest, pepper_id, last4, created_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
);
const revoke = statement<Stored>(
  'dashboard.revoke-api-key',
  `update api_keys set revoked_at = clock_timestamp()
   where merchant_id = $1 and id = $2 and revoked_at is null returning ${COLUMNS}`,
);
const find = statement<Stored>(
  'dashboard.find-api-key',
  `select ${COLUMNS} from api_keys where merchant_id = $1 and id = $2`,
);
const list = statement<Stored>(
  'dashboard.list-api-keys',
  `select ${COLUMNS} from api_keys where merchant_id = $1 and mode = $2 order by created_at desc, id desc`,
);

export async function insertApiKey(
  tx: Queryable,
  key: Omit<ApiKeyRow, 'createdAt' | 'revokedAt'>,
): Promise<ApiKeyRow> {
  const { id, merchantId, mode, name, digest, pepperId, last4, createdBy } = key;
  const [row] = await tx.query(insert, [id, merchantId, mode, name, digest, pepperId, last4, createdBy]);
  if (!row) throw new Error('an inserted API key was not returned');
  return fromRow(row);
}

/** Revokes a key of this merchant; undefined when there is none, or none that still lives. */
export async function revokeApiKeyRow(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query(revoke, [merchantId, id]);
  return row && fromRow(row);
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
    revokedAt: row.revoked_at,
  };
}
