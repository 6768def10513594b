import type { GatewayConnection } from '@gp/contracts';
import { upsertConnection } from '../../db/gateway-connections.ts';
import { findGroupsWaitingForGateway } from '../../db/lookups/find-groups.ts';
import { insertOutbox } from '@gp/outbox';
import { dailyReconciliation } from '../reconciliation/reconcile-daily.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';

type FollowGateways = (connection: GatewayConnection) => Promise<void>;

/** Takes the news, so that the next payment goes by it; what waits for it is looked at when the durable twin comes. */
export function noteGateway({ db }: Pick<LedgerParts, 'db'>): FollowGateways {
  return (connection) => upsertConnection(db, connection);
}

/**
 * Follows a merchant's gateway connections. Groups that were fully held while their credentials were revoked look
 * again, so that a reconnect starts their captures (B11), and the account's books are compared from now on.
 */
export function followGateways(parts: LedgerParts): FollowGateways {
  return async (connection) => {
    await upsertConnection(parts.db, connection);
    await insertOutbox(parts.db, [dailyReconciliation(connection)]);
    parts.wakeRelay();
    const scope = toScope(connection);
    for (const groupId of await findGroupsWaitingForGateway(parts.db, scope))
      await changeGroup(parts, {
        step: 'recheck',
        actor: 'merchant',
        groupId,
        scope,
        command: () => ({ type: 'recheckCredentials' }),
      });
  };
}
