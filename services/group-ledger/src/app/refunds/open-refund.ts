import type { openRefund as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { commandToStore, earlierRun } from '../change/command-identity.ts';
import { refundView } from './refund-view.ts';

type Request = RequestOf<typeof contract>;
type Response = ResponseOf<typeof contract>;

/**
 * Opens a refund (E1–E10). The outbox sends its lines to the gateways; lines whose gateway is never
 * called have failed already. A command id that ran before gets its refund again, in its current state.
 */
export function openRefund(parts: LedgerParts): (request: Request) => Promise<Response> {
  return async (request) => {
    let refundId = uuidv7();
    const { group } = await changeGroup(parts, {
      step: 'refund',
      actor: request.actor ?? request.source,
      groupId: request.group_id,
      scope: toScope(request),
      commandId: request.command_id,
      command(loaded) {
        const earlier = earlierRun(loaded, request);
        refundId = earlier?.refund_id ?? refundId;
        if (earlier) return undefined;
        return { type: 'openRefund', refundId, source: request.source, slotIds: request.slot_ids ?? null };
      },
      beside: () => ({ command: commandToStore(request, { refundId }) }),
    });
    const view = refundView(group, refundId);
    if (!view) throw new Error(`refund ${refundId} has no lines`);
    return view;
  };
}
