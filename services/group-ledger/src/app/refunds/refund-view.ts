import { refundProgressed, type RefundPart, type RefundView } from '@gp/contracts';
import {
  findIntent,
  isRefundSettled,
  deriveRefundedState,
  type Group,
  type RefundLine,
} from '../../domain/index.ts';

/** Returns a refund in the form of the bus; undefined when the group has none with this id. */
export function refundView(group: Group, refundId: string): RefundView | undefined {
  const lines = group.refundLines.filter((line) => line.refundId === refundId);
  const [first] = lines;
  if (!first) return undefined;
  return {
    merchant_id: group.merchantId,
    mode: group.mode,
    group_id: group.id,
    refund_id: refundId,
    version: group.version,
    group_state: group.state,
    parts: lines.map((line) => toRefundPart(group, line)),
    is_settled: isRefundSettled(group, refundId),
    state_otherwise: deriveRefundedState(group, first.refundNumber),
  };
}

function toRefundPart(group: Group, line: RefundLine): RefundPart {
  const intent = findIntent(group, line.intentId);
  if (!intent) throw new Error(`refund line of unknown intent ${line.intentId}`);
  return {
    intent_id: line.intentId,
    psp_code: intent.pspCode,
    slot_ids: [...intent.slotIds],
    amount_minor: line.amountMinor.toString(),
    status: line.state,
    error: line.failure?.message ?? null,
    error_code: line.failure?.code ?? null,
  };
}

export const refundSubject = (groupId: string): string => `${refundProgressed.subject}.${groupId}`;

/** Returns the requested refunds whose view a decision changed. */
export function changedRefunds(before: Group, after: Group): RefundView[] {
  const requested = after.refundLines.filter(({ source }) => source !== 'external');
  const ids = new Set(requested.map(({ refundId }) => refundId));
  return [...ids].flatMap((id) => {
    const view = refundView(after, id);
    return view && encodeWithoutVersion(view) !== encodeWithoutVersion(refundView(before, id)) ? [view] : [];
  });
}

/** Returns whether two views differ in more than the version, which every decision changes. */
const encodeWithoutVersion = (view: RefundView | undefined): string =>
  JSON.stringify({ ...view, version: 0 });
