import type { openRefund as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { findIntent, type Group, type RefundLine, type RefundPart } from '../domain/index.ts';
import { changeGroup, scopeOf, type LedgerParts } from './change-group.ts';
import { commandToStore, earlierRun } from './command-identity.ts';

type Request = RequestOf<typeof contract>;
type Response = ResponseOf<typeof contract>;

/** Why a line is failed without asking its gateway; any other reason is the gateway's own. */
const NEVER_ASKED = ['refund_unavailable', 'payment_disputed'];

/**
 * Opens a refund (E1–E10): the lines it writes are sent to the gateways by the outbox, and `refused` names the
 * intents no gateway is asked about. A command id that ran before gets its refund again.
 */
export function openRefund(parts: LedgerParts): (request: Request) => Promise<Response> {
  return async (request) => {
    let refundId = uuidv7();
    const { group } = await changeGroup(parts, {
      step: 'refund',
      actor: request.source,
      groupId: request.group_id,
      scope: scopeOf(request),
      commandId: request.command_id,
      command(loaded) {
        const earlier = earlierRun(loaded, request);
        refundId = earlier?.refund_id ?? refundId;
        if (earlier) return undefined;
        return { type: 'openRefund', refundId, source: request.source, slotIds: request.slot_ids ?? null };
      },
      beside: () => ({ command: commandToStore(request, { refundId }) }),
    });
    const refund = partsOf(group, refundId);
    return {
      refund_id: refundId,
      lines: refund.filter((part) => part.refusal === null).map(lineView),
      refused: refund.flatMap((part) => (part.refusal ? [refusedView(part, part.refusal.message)] : [])),
      group_state: group.state,
    };
  };
}

function partsOf(group: Group, refundId: string): RefundPart[] {
  return group.refundLines
    .filter((line) => line.refundId === refundId)
    .flatMap((line) => {
      const intent = findIntent(group, line.intentId);
      if (!intent) return [];
      const { pspCode, slotIds } = intent;
      const { operationId, intentId, amountMinor } = line;
      return [{ operationId, intentId, pspCode, slotIds, amountMinor, refusal: refusalOf(line) }];
    });
}

function refusalOf({ failure }: RefundLine): RefundPart['refusal'] {
  return failure && NEVER_ASKED.includes(failure.code) ? failure : null;
}

function lineView(part: RefundPart): Response['lines'][number] {
  return {
    operation_id: part.operationId,
    intent_id: part.intentId,
    psp_code: part.pspCode,
    slot_ids: [...part.slotIds],
    amount_minor: part.amountMinor.toString(),
  };
}

function refusedView(part: RefundPart, error: string): Response['refused'][number] {
  return { intent_id: part.intentId, psp_code: part.pspCode, slot_ids: [...part.slotIds], error };
}
