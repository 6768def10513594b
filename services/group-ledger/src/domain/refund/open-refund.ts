import { voidKeptHold, stopCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import type { CommandResult, RefundPart } from '../decision.ts';
import { findCapture, findIntent, type Group, type RefundLine } from '../group/group.ts';
import { previewRefund } from './preview-refund.ts';
import { failRefusedLines, openRefundLine } from './refund.ts';

/**
 * Opens a refund of every captured intent, or of those that cover the named slots, always whole intents. Refunding the
 * whole group also stops all captures that are still to come. A gateway that cannot refund gets no order.
 */
export function openRefund(draft: GroupDraft, command: CommandOf<'openRefund'>): CommandResult {
  const { group } = draft;
  const hit = previewRefund(group, command.slotIds);
  if ('code' in hit) return { kind: 'rejected', ...hit };

  const refundNumber = group.refundNumber + 1;
  draft.patchGroup({ refundNumber });
  if (command.slotIds === null) stopCaptures(draft);
  const request = { refundId: command.refundId, refundNumber, source: command.source };
  const lines = hit.map(({ intent }) => openRefundLine(draft, intent, request));
  draft.rederive();
  failRefusedLines(draft);
  return {
    kind: 'reply',
    reply: { kind: 'refund', refundId: command.refundId, parts: lines.map(part(group)) },
  };
}

/**
 * No capture is sent any more: one without effect is withdrawn, one that may have had an effect is awaited and refunded.
 */
function stopCaptures(draft: GroupDraft): void {
  if (draft.group.captureStoppedAtMs === null) draft.patchGroup({ captureStoppedAtMs: draft.context.nowMs });
  for (const intent of draft.group.intents) {
    const capture = findCapture(draft.group, intent.id);
    if (capture?.state === 'waiting') stopCapture(draft, intent, capture);
    if (intent.state === 'capture_failed') voidKeptHold(draft, intent);
  }
}

const part =
  (group: Group) =>
  ({ operationId, intentId, amountMinor, failure }: RefundLine): RefundPart => {
    const intent = findIntent(group, intentId);
    if (!intent) throw new Error(`refund line of unknown intent ${intentId}`);
    const { pspCode, slotIds } = intent;
    return { operationId, intentId, pspCode, slotIds, amountMinor, refusal: failure };
  };
