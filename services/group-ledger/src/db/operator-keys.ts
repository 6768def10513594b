import type { OperatorKey } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import { findConstraint, statement, type Queryable } from '@gp/pg';
import type { FirstOperator, StoredKey } from '../domain/index.ts';

type KeyRow = Pick<OperatorKey, 'key' | 'name' | 'role' | 'state' | 'added_by' | 'revoked_by'> & {
  readonly added_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly now: Date;
};

const COLUMNS = `key, name, role, added_at, added_by, expires_at, revoked_at, revoked_by, clock_timestamp() as now,
  case when revoked_at is not null then 'revoked' when expires_at <= clock_timestamp() then 'expired' else 'valid' end as state`;

const find = statement<KeyRow>(
  'ledger.find-operator-key',
  `select ${COLUMNS} from operator_keys where key = $1`,
);

// People are few, and their keys: no index.
const list = statement<KeyRow>(
  'ledger.list-operator-keys',
  `select ${COLUMNS} from operator_keys order by added_at desc, key`,
);

const insert = statement<KeyRow>(
  'ledger.insert-operator-key',
  `insert into operator_keys (key, name, role, expires_at, added_by) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
);

const ADMINISTRATORS = `select from operator_keys
     where role = 'admin' and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`;

const findAdministrator = statement<{ found: boolean }>(
  'ledger.find-administrator',
  `select exists (${ADMINISTRATORS}) as found`,
);

// Only while nobody could add one, and never a second time: a first key that was revoked stays revoked.
const insertFirst = statement<{ key: string }>(
  'ledger.insert-first-operator-key',
  `insert into operator_keys (key, name, role)
   select $1::text, $2::text, 'admin'
   where not exists (${ADMINISTRATORS})
   on conflict (key) do nothing
   returning key`,
);

const revoke = statement<KeyRow>(
  'ledger.revoke-operator-key',
  `update operator_keys
   set revoked_at = coalesce(revoked_at, clock_timestamp()), revoked_by = coalesce(revoked_by, $2)
   where key = $1 returning ${COLUMNS}`,
);

// Index: operator_proofs_by_age. An hour is longer than any proof is valid, so that none is spent twice.
const spend = statement<{ nonce: string }>(
  'ledger.spend-operator-proof',
  `with old as (delete from operator_proofs where spent_at < clock_timestamp() - interval '1 hour')
   insert into operator_proofs (operator_key, nonce) values ($1, $2) on conflict do nothing returning nonce`,
);

/** Returns what a command is judged by; undefined for a key that nobody registered. */
export async function findStoredKey(q: Queryable, key: string): Promise<StoredKey | undefined> {
  const [row] = await q.query(find, [key]);
  if (row === undefined) return undefined;
  return {
    name: row.name,
    role: row.role,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    nowMs: row.now.getTime(),
  };
}

/** Lists all keys, newest first. */
export async function listKeys(q: Queryable): Promise<OperatorKey[]> {
  return (await q.query(list)).map(toView);
}

/** Stores a key. Throws `conflict` for one that is known, `validation_error` for an expiry in the past. */
export async function insertKey(
  q: Queryable,
  o: Pick<OperatorKey, 'key' | 'name' | 'role' | 'expires_at'> & { readonly addedBy: string },
): Promise<OperatorKey> {
  const values = [o.key, o.name, o.role, o.expires_at, o.addedBy];
  const [row] = await q.query(insert, values).catch((error: unknown) => {
    throw translate(error);
  });
  if (row === undefined) throw new Error('an insert without a row');
  return toView(row);
}

function translate(error: unknown): unknown {
  const constraint = findConstraint(error);
  if (constraint === 'operator_keys_have_one_row_per_key')
    return new AppError('conflict', { message: 'this key is registered already' }, { cause: error });
  if (constraint === 'operator_keys_expire_after_they_were_added')
    return validationError('expires_at', 'must be in the future');
  return error;
}

/** Returns whether anybody could add a key now. */
export async function hasAdministrator(q: Queryable): Promise<boolean> {
  return (await q.query(findAdministrator))[0]?.found === true;
}

/** Stores the first administrator's key while no administrator's key is valid; returns whether it did. */
export async function insertFirstKey(q: Queryable, { key, name }: FirstOperator): Promise<boolean> {
  return (await q.query(insertFirst, [key, name])).length > 0;
}

/** Revokes a key and keeps when and by whom that was done first; undefined for a key that nobody registered. */
export async function markRevoked(
  q: Queryable,
  { key, revokedBy }: { key: string; revokedBy: string },
): Promise<OperatorKey | undefined> {
  const [row] = await q.query(revoke, [key, revokedBy]);
  return row && toView(row);
}

/** Returns false for a proof that was spent before; two replicas that try at the same time are one after the other here. */
export async function spendProof(
  q: Queryable,
  { key, nonce }: { key: string; nonce: string },
): Promise<boolean> {
  return (await q.query(spend, [key, nonce])).length > 0;
}

function toView({ now: _, added_at, expires_at, revoked_at, ...row }: KeyRow): OperatorKey {
  return {
    ...row,
    added_at: added_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  };
}
