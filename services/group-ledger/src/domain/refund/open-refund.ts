import { releaseKeptHold, stopCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { reject, type RefundPart, type CommandResult } from '../decision.ts';
import { findCapture, findIntent, findSlot, type Group, type RefundLine } from '../group/group.ts';
import { failRefusedLines, openRefundLine } from './refund.ts';
import { isIntentIn, type Intent } from '../intent/intent.ts';

/**
 * Opens a refund of every captured intent, or of those that cover the named slots, always whole intents. Refunding
 * the whole group also stops what is still to be captured. Gateways that cannot refund are never asked.
 */
export function openRefund(draft: GroupDraft, command: CommandOf<'openRefund'>): CommandResult {
  const { group } = draft;
  const isWhole = command.slotIds === null;
  const found =
    command.slotIds === null ? { intents: group.intents } : findRefundedIntents(group, command.slotIds);
  if ('verdict' in found) return found.verdict;
  const refundable = found.intents.filter((intent) => isIntentIn(intent, 'captured'));
  if (refundable.length === 0 || group.captures.length === 0) return reject('nothing_to_refund');

  const refundNumber = group.refundNumber + 1;
  draft.patchGroup({ refundNumber });
  if (isWhole) stopCaptures(draft);
  const request = { refundId: command.refundId, refundNumber, source: command.source };
  const lines = refundable.map((intent) => openRefundLine(draft, intent, request));
  draft.rederive();
  failRefusedLines(draft);
  return {
    kind: 'reply',
    reply: { kind: 'refund', refundId: command.refundId, parts: lines.map(part(group)) },
  };
}

/** The intents that cover the slots, or the reason why they cannot be refunded. */
function findRefundedIntents(
  group: Group,
  slotIds: readonly string[],
): { readonly intents: readonly Intent[] } | { readonly verdict: CommandResult } {
  const slots = slotIds.map((id) => findSlot(group, id));
  const isValid =
    slotIds.length > 0 && new Set(slotIds).size === slotIds.length && !slots.includes(undefined);
  if (!isValid) return { verdict: reject('invalid_slot_ids') };
  const uncaptured = slots.filter((slot) => slot?.state !== 'captured' && slot?.state !== 'refunded');
  if (uncaptured.length > 0) {
    const ids = uncaptured.map((slot) => slot?.id);
    return { verdict: reject('slots_not_captured', ids) };
  }
  const intentIds = new Set(slots.map((slot) => slot?.intentId));
  return { intents: group.intents.filter(({ id }) => intentIds.has(id)) };
}

/** No capture is sent any more: what had no effect is withdrawn, what may have had one is awaited and refunded. */
function stopCaptures(draft: GroupDraft): void {
  if (draft.group.captureStoppedAtMs === null) draft.patchGroup({ captureStoppedAtMs: draft.context.nowMs });
  for (const intent of draft.group.intents) {
    const capture = findCapture(draft.group, intent.id);
    if (capture?.state === 'waiting') stopCapture(draft, intent, capture);
    if (intent.state === 'capture_failed') releaseKeptHold(draft, intent);
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
