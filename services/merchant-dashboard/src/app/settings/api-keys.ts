import { createHmac, randomBytes } from 'node:crypto';
import type { KeyScope, Mode } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import type { Loop, Wake } from '@gp/service';
import { uuidv7 } from 'uuidv7';
import {
  endApiKeyRow,
  findApiKey,
  findNextKeyEnd,
  insertApiKey,
  listLiveKeyIds,
  lockEndedKey,
  revokeApiKeyRow,
  type ApiKeyRow,
} from '../../db/api-keys.ts';
import { insertAudit } from '../../db/audit.ts';
import { newApiKey } from '../../domain/api-key.ts';
import { committed } from '../../fail-points.ts';
import { publishApiKey } from './publish-changes.ts';
import type { Actor, DashboardParts } from '../ports.ts';

/** The pause while another replica ends a key, and the first rest after that. */
const END_EVERY_MS = 1_000;

/** A key that was just made; `key` is its text. */
export type NewKey = { readonly row: ApiKeyRow; readonly key: string };

/** The permitted uses of a key: scopes, addresses and expiry. */
export type Restrictions = {
  /** Null for every right. */
  readonly scopes: readonly KeyScope[] | null;
  readonly expiresAt: Date | null;
  /** In CIDR form; none for any address. */
  readonly allowedAddresses: readonly string[];
};
const UNRESTRICTED: Restrictions = { scopes: null, expiresAt: null, allowedAddresses: [] };

type Wanted = { readonly mode: Mode; readonly name: string } & Partial<Restrictions>;

/** Creates a key. Its text is returned only here: only an HMAC of it is stored. */
export function createApiKey(parts: DashboardParts): (actor: Actor, o: Wanted) => Promise<NewKey> {
  return async (actor, o) => {
    const { key, record } = newRecord(parts, actor, o);
    const row = await committed(parts.db, 'api-key', async (tx) => {
      const stored = await insertApiKey(tx, record);
      await publishApiKey(tx, stored);
      await insertAudit(tx, actor, 'api_key.created', describeNewKey(stored));
      return stored;
    });
    parts.wakeRelay();
    return { row, key };
  };
}

/**
 * Creates a key that replaces another, with the same restrictions; the old one works for `overlapSeconds` more. `not_found` for a key that is
 * revoked, and `conflict` for one that was rolled before.
 */
export function rollApiKey(
  parts: DashboardParts,
): (actor: Actor, keyId: string, overlapSeconds: number) => Promise<NewKey> {
  return async (actor, keyId, overlapSeconds) => {
    const made = await committed(parts.db, 'api-key', async (tx) => {
      const old = await findApiKey(tx, actor.merchantId, keyId);
      if (!old || old.revokedAt) throw notFound('API key');
      const { mode } = old;
      if (!(await endApiKeyRow(tx, actor.merchantId, keyId, overlapSeconds)))
        throw new AppError('conflict', { message: 'this key was rolled already' });
      const { key, record } = newRecord(parts, actor, old);
      const row = await insertApiKey(tx, record);
      await publishApiKey(tx, row);
      if (overlapSeconds === 0) await endNow(tx, old);
      const details = { mode, key_id: keyId, new_key_id: row.id, overlap_seconds: overlapSeconds };
      await insertAudit(tx, actor, 'api_key.rolled', details);
      return { row, key };
    });
    parts.wakeRelay();
    return made;
  };
}

/**
 * Ends rolled keys whose overlap is over and keys that expire; the edge is notified of each at once. It rests until the next
 * end: an overlap is longer than the longest rest, and the edge itself refuses a key that was made to expire sooner.
 */
export function endRolledKeys(parts: Pick<DashboardParts, 'db' | 'wakeRelay'>): Loop {
  let wake: Wake = () => undefined;
  return {
    name: 'end-rolled-keys',
    idleMs: END_EVERY_MS,
    onWake: (given) => (wake = given),
    async runOnce() {
      const waitMs = (await findNextKeyEnd(parts.db)) ?? Infinity;
      if (waitMs > 0) {
        wake(waitMs);
        return 'empty';
      }
      const ended = await parts.db.transaction(async (tx) => {
        const due = await lockEndedKey(tx);
        if (due) await endNow(tx, due);
        return due !== undefined;
      });
      if (ended) parts.wakeRelay();
      return ended ? 'busy' : 'idle';
    },
  };
}

async function endNow(tx: Queryable, { merchantId, id }: ApiKeyRow): Promise<void> {
  const revoked = await revokeApiKeyRow(tx, merchantId, id);
  if (revoked) await publishApiKey(tx, revoked);
}

function newRecord({ pepper }: DashboardParts, actor: Actor, wanted: Wanted) {
  const { mode, name, scopes, expiresAt, allowedAddresses } = { ...UNRESTRICTED, ...wanted };
  const key = newApiKey(mode, randomBytes);
  const digest = createHmac('sha256', pepper.key).update(key).digest();
  const { merchantId, name: createdBy } = actor;
  const last4 = key.slice(-4);
  const made = { id: uuidv7(), merchantId, mode, name, digest, pepperId: pepper.id, last4, createdBy };
  return { key, record: { ...made, scopes, expiresAt, allowedAddresses } };
}

function describeNewKey({ mode, id, name, scopes, expiresAt, allowedAddresses }: ApiKeyRow) {
  return {
    ...{ mode, key_id: id, name },
    ...(scopes && { scopes }),
    ...(expiresAt && { expires_at: expiresAt }),
    ...(allowedAddresses.length > 0 && { allowed_addresses: allowedAddresses }),
  };
}

/** Revokes every live key that one member made, in the transaction of the caller; returns how many there were. */
export async function revokeKeysCreatedBy(tx: Queryable, actor: Actor, createdBy: string): Promise<number> {
  const ids = await listLiveKeyIds(tx, actor.merchantId, createdBy);
  for (const id of ids) await revokeOne(tx, actor, id);
  return ids.length;
}

async function revokeOne(tx: Queryable, actor: Actor, keyId: string): Promise<ApiKeyRow | undefined> {
  const revoked = await revokeApiKeyRow(tx, actor.merchantId, keyId);
  if (!revoked) return undefined;
  await publishApiKey(tx, revoked);
  await insertAudit(tx, actor, 'api_key.revoked', { mode: revoked.mode, key_id: keyId });
  return revoked;
}

/** Returns a merchant's key; throws not_found when there is none. */
export async function requireKey(db: Queryable, merchantId: string, keyId: string): Promise<ApiKeyRow> {
  const row = await findApiKey(db, merchantId, keyId);
  if (!row) throw notFound('API key');
  return row;
}

/** Revokes a key for good; the edge is notified within a second. Repeating it changes nothing. */
export function revokeApiKey(parts: DashboardParts): (actor: Actor, keyId: string) => Promise<ApiKeyRow> {
  return async (actor, keyId) => {
    const row = await committed(
      parts.db,
      'api-key',
      async (tx) => (await revokeOne(tx, actor, keyId)) ?? findApiKey(tx, actor.merchantId, keyId),
    );
    if (!row) throw notFound('API key');
    parts.wakeRelay();
    return row;
  };
}
