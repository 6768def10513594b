import type { openRefund as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { uuidv7 } from 'uuidv7';
import type { Group, RefundPart } from '../domain/index.ts';
import { changeGroup, scopeOf, type LedgerParts } from './change-group.ts';

type Request = RequestOf<typeof contract>;
type Response = ResponseOf<typeof contract>;

/**
 * Opens a refund (E1–E10): the lines it writes are sent to the gateways by the outbox, and `refused` names the
 * intents no gateway is asked about. A command id that ran before gets its refund again.
 */
export function openRefund(parts: LedgerParts): (request: Request) => Promise<Response> {
  return async (request) => {
    let refundId = uuidv7();
    const { group, reply } = await changeGroup(parts, {
      step: 'refund',
      actor: request.source,
      groupId: request.group_id,
      scope: scopeOf(request),
      commandId: request.command_id,
      command(loaded) {
        if (!loaded.command)
          return { type: 'openRefund', refundId, source: request.source, slotIds: request.slot_ids ?? null };
        if (loaded.command.fingerprint !== request.fingerprint) throw new AppError('idempotency_key_reused');
        refundId = loaded.command.refund_id ?? refundId;
        return undefined;
      },
      beside: () => ({
        command: { id: request.command_id, fingerprint: request.fingerprint, intentId: null, refundId },
      }),
    });
    const parts_ = reply?.kind === 'refund' ? reply.parts : partsOf(group, refundId);
    return {
      refund_id: refundId,
      lines: parts_.filter((part) => part.refusal === null).map(lineView),
      refused: parts_.flatMap((part) => (part.refusal ? [refusedView(part, part.refusal.message)] : [])),
      group_state: group.state,
    };
  };
}

function partsOf(group: Group, refundId: string): RefundPart[] {
  return group.refundLines
    .filter((line) => line.refundId === refundId)
    .flatMap((line) => {
      const intent = group.intents.find((candidate) => candidate.id === line.intentId);
      if (!intent) return [];
      const { pspCode, slotIds } = intent;
      const { operationId, intentId, amountMinor } = line;
      return [{ operationId, intentId, pspCode, slotIds, amountMinor, refusal: null }];
    });
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
