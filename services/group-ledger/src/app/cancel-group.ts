import type { cancelGroup as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { changeGroup, scopeOf, type LedgerParts } from './change-group.ts';
import { groupWithSlots } from './views.ts';

type Contract = typeof contract;

/** Cancels a group that is still collecting: holds are released and nobody is charged (Q2). */
export function cancelGroup(parts: LedgerParts): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const { group, loaded } = await changeGroup(parts, {
      step: 'cancel',
      actor: request.actor,
      groupId: request.group_id,
      scope: scopeOf(request),
      command: () => ({ type: 'cancel' }),
    });
    return groupWithSlots(group, loaded.row, loaded.slotRows, loaded.nowMs);
  };
}
