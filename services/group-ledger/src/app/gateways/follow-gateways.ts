import type { GatewayConnection } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { upsertConnection } from '../../db/gateway-connections.ts';
import { findGroupsWaitingForGateway } from '../../db/lookups/find-groups.ts';
import { insertOutbox } from '@gp/outbox';
import { dailyReconciliation } from '../reconciliation/reconcile-daily.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';

type FollowGateways = (connection: GatewayConnection) => Promise<void>;

/** Stores a change at once for the next payment. Waiting groups are decided when the durable message of the change arrives. */
export function noteGateway({ db }: Pick<LedgerParts, 'db'>): FollowGateways {
  return (connection) => upsertConnection(db, connection);
}

/**
 * Follows a merchant's gateway connections. Groups that were fully held while their credentials were revoked are decided
 * again, so that a reconnect starts their captures (B11), and the account's books are compared from now on. Throws
 * after the last group when some could not be decided, so that the message is delivered again (B17).
 */
export function followGateways(parts: LedgerParts): FollowGateways {
  return async (connection) => {
    await upsertConnection(parts.db, connection);
    await insertOutbox(parts.db, [dailyReconciliation(connection)]);
    parts.wakeRelay();
    const scope = toScope(connection);
    let failures = 0;
    for (const groupId of await findGroupsWaitingForGateway(parts.db, scope))
      if (!(await recheck(parts, scope, groupId))) failures += 1;
    if (failures > 0) throw new Error(`${failures} groups that wait for their gateway could not look again`);
  };
}

/** Returns false when this group cannot be decided; throws when none can, because the database is away. */
async function recheck(
  parts: LedgerParts,
  scope: ReturnType<typeof toScope>,
  groupId: string,
): Promise<boolean> {
  try {
    await changeGroup(parts, {
      step: 'recheck',
      actor: 'merchant',
      groupId,
      scope,
      command: () => ({ type: 'recheckCredentials' }),
    });
    return true;
  } catch (err) {
    if (err instanceof AppError && err.code === 'service_unavailable') throw err;
    parts.log.error({ group_id: groupId, err }, 'a group that waits for its gateway could not look again');
    return false;
  }
}
