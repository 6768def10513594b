import type { RequestOf, ResponseOf, rollPageToken as contract } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db, Queryable } from '@gp/pg';
import { findCommand } from '../../db/commands.ts';
import { findLink, rollPageToken as roll } from '../../db/group/roll-page-token.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { newPageToken } from './new-names.ts';

type Contract = typeof contract;

/**
 * Gives a group's page a new token. It changes no money state, so the group keeps its version; the actions of the
 * ledger record the actor. A command that ran before gets the link as it is now.
 */
export function rollPageToken(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const link = await db.transaction(async (tx) => {
      const { group_id, actor, command_id } = request;
      const rolled = await roll(tx, request, newPageToken(Date.now()));
      if (!rolled) return findRolled(tx, request);
      await recordAction(tx, { actor, action: 'links.roll', subject: group_id, details: { command_id } });
      failBefore('link-roll');
      return rolled;
    });
    failAfter('link-roll');
    return link;
  };
}

/** Returns the link of the group of a command that ran before. */
async function findRolled(tx: Queryable, request: RequestOf<Contract>): Promise<ResponseOf<Contract>> {
  const { group_id, command_id, fingerprint } = request;
  const link = await findLink(tx, request);
  if (!link) throw notFound('group payment');
  const earlier = await findCommand(tx, command_id);
  const isSame = earlier?.fingerprint === fingerprint && earlier.group_id === group_id;
  if (!isSame) throw new AppError('idempotency_key_reused');
  return link;
}
