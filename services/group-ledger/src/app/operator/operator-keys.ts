import { fitting, isOperatorKey } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type { Operator, OperatorKey, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound, validationError } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { insertKey, listKeys, markRevoked } from '../../db/operator-keys.ts';

type Add = RequestOf<typeof contracts.addOperatorKey>;
type Revoke = RequestOf<typeof contracts.revokeOperatorKey>;
type List = ResponseOf<typeof contracts.listOperatorKeys>;

/**
 * Registers the public half of a person's key (Q69). Rejects with `validation_error` for a key with a mistyped character
 * and for an expiry in the past, and with `conflict` for a key that is known, a revoked one included.
 */
export function addOperatorKey(db: Db): (r: Add, actor: Operator) => Promise<OperatorKey> {
  return async ({ key, name, role, expires_at }, actor) => {
    if (!isOperatorKey(key)) throw validationError('key', 'is not the public half of an operator’s key');
    return db.transaction(async (tx) => {
      const added = await insertKey(tx, { key, name, role, expires_at, addedBy: actor.name });
      await recordAction(tx, {
        actor,
        action: 'keys.add',
        subject: key,
        details: { name, role, expires_at },
      });
      return added;
    });
  };
}

/** Lists the keys, newest first, as many as fit. */
export function listOperatorKeys(db: Db): () => Promise<List> {
  return async () => ({ keys: fitting(await listKeys(db)) });
}

/** Revokes a key: every request that is verified after the commit is refused (Q69). Rejects with `not_found`. */
export function revokeOperatorKey(db: Db): (r: Revoke, actor: Operator) => Promise<OperatorKey> {
  return ({ key }, actor) =>
    db.transaction(async (tx) => {
      const revoked = await markRevoked(tx, { key, revokedBy: actor.name });
      if (!revoked) throw notFound('operator key');
      await recordAction(tx, { actor, action: 'keys.revoke', subject: key, details: { name: revoked.name } });
      return revoked;
    });
}
