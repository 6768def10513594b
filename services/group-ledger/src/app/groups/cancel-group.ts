import type { cancelGroup as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { commandToStore, earlierRun } from '../change/command-identity.ts';
import { findGroup } from './find-groups.ts';

type Contract = typeof contract;

/** Cancels a group that is still collecting: its holds are released and no payer is charged (Q2). */
export function cancelGroup(parts: LedgerParts): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  const show = findGroup(parts.db);
  return async (request) => {
    await changeGroup(parts, {
      step: 'cancel',
      actor: request.actor,
      groupId: request.group_id,
      scope: toScope(request),
      commandId: request.command_id,
      command: (loaded) => (earlierRun(loaded, request) ? undefined : { type: 'cancel' }),
      beside: () => ({ command: commandToStore(request) }),
    });
    return show(request);
  };
}
