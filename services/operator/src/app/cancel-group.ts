import { createHash, randomUUID } from 'node:crypto';
import type { Bus } from '@gp/bus';
import { cancelGroup as contract, inspectGroup } from '@gp/contracts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Cancels a group that is still collecting (Q2). Rejects with `group_not_payable` after a capture. */
export async function cancelGroup(bus: Bus, groupId: string, actor: string): Promise<object> {
  const { group } = await bus.call(inspectGroup, { group_id: groupId });
  const cancelled = await bus.call(contract, {
    merchant_id: group.merchant_id,
    mode: group.mode,
    group_id: groupId,
    actor: `operator:${actor}`,
    command_id: digest(`operator cancel ${randomUUID()}`),
    fingerprint: digest(`cancel ${groupId}`),
  });
  return { group_id: groupId, group_state: cancelled.group.state };
}
