import type { Mode, SigningKey } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { Sealed } from '@gp/seal';

/** A key as it is stored: its public half in the clear, its private half sealed. */
export type SigningKeyRow = {
  readonly kid: string;
  readonly mode: Mode;
  readonly x: string;
  readonly sealed: Sealed;
  readonly signsFromMs: number;
};

// Rotations of one mode happen one at a time, whichever replica begins; the lock is held until the transaction
// ends.
const lock = statement(
  'checkout.lock-signing-keys',
  `select pg_advisory_xact_lock(hashtext('checkout signing keys ' || $1))`,
);
const insert = statement(
  'checkout.insert-signing-key',
  `insert into signing_keys (kid, mode, x, sealed, sealed_with, signs_from)
   values ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000))`,
);
const remove = statement(
  'checkout.delete-signing-keys',
  'delete from signing_keys where mode = $1 and kid = any($2::text[])',
);
const ages = statement<{ kid: string; signs_from: Date; now: Date }>(
  'checkout.list-signing-key-ages',
  'select kid, signs_from, clock_timestamp() as now from signing_keys where mode = $1',
);
const now = statement<{ now: Date }>('checkout.now', 'select clock_timestamp() as now');
const publicKeys = statement<{ kid: string; mode: Mode; x: string }>(
  'checkout.list-public-keys',
  'select kid, mode, x from signing_keys order by signs_from',
);

export async function lockSigningKeys(tx: Queryable, mode: Mode): Promise<void> {
  await tx.query(lock, [mode]);
}

export async function insertSigningKey(tx: Queryable, row: SigningKeyRow): Promise<void> {
  const { kid, mode, x, sealed, signsFromMs } = row;
  await tx.query(insert, [kid, mode, x, sealed.bytes, sealed.keyId, signsFromMs]);
}

export async function deleteSigningKeys(tx: Queryable, mode: Mode, kids: readonly string[]): Promise<void> {
  await tx.query(remove, [mode, kids]);
}

/** Returns the keys of a mode with the database's time, by which their ages are compared. */
export async function listKeyAges(
  tx: Queryable,
  mode: Mode,
): Promise<{ keys: { kid: string; signsFromMs: number }[]; nowMs: number }> {
  const rows = await tx.query(ages, [mode]);
  const nowMs = (rows[0] ?? (await tx.query(now, []))[0])?.now.getTime() ?? NaN;
  return { keys: rows.map(({ kid, signs_from }) => ({ kid, signsFromMs: signs_from.getTime() })), nowMs };
}

/** Returns the public half of every published key. */
export async function listPublicKeys(db: Queryable): Promise<SigningKey[]> {
  const rows = await db.query(publicKeys, []);
  return rows.map(({ kid, mode, x }) => ({ kid, mode, kty: 'OKP', crv: 'Ed25519', x }));
}
