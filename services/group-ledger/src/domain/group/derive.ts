import { isOpen, type Group } from './group.ts';
import type { GroupState, GroupTrigger } from './group.machine.ts';

/** The states in which a refund has come to an end. */
export type RefundedState = Extract<GroupState, 'refunded' | 'partially_refunded' | 'refund_failed'>;

/** Finds the group's state from its parts; nothing else ever decides it. */
export function derive(group: Group): GroupState {
  if (group.cancelledAtMs !== null) return 'cancelled';
  if (group.captures.length === 0) return group.expiredAtMs === null ? deriveCollecting(group) : 'expired';
  if (isRefundUnresolved(group)) return 'refunding';
  if (group.refundNumber > 0) return deriveRefunded(group);
  return deriveCaptured(group);
}

function deriveCollecting(group: Group): GroupState {
  let held = 0;
  for (const { state } of group.slots) if (state === 'preauthorised' || state === 'captured') held += 1;
  if (held === 0) return 'open';
  return held === group.slots.length ? 'preauthorised' : 'partially_preauthorised';
}

// A stopped group is not settled before its captures are: one that succeeds is refunded at once.
function isRefundUnresolved(group: Group): boolean {
  return group.refundLines.some(isOpen) || isStopUnresolved(group);
}

function isStopUnresolved(group: Group): boolean {
  return group.captureStoppedAtMs !== null && group.captures.some(isOpen);
}

/**
 * The state a refund reports of its group when the time to reply is over: as if everything that is still open had come
 * to nothing (E5), seen from that refund where a newer one is open as well.
 */
export function deriveRefundedState(group: Group, refundNumber: number): RefundedState {
  if (group.state !== 'refunding') return deriveRefunded(group);
  const intents = group.intents.map((intent) =>
    intent.state === 'refund_pending' ? { ...intent, state: 'captured' as const } : intent,
  );
  return deriveRefunded({ ...group, intents, refundNumber });
}

/** Whether nothing of a refund is open, captures included that it stopped and that would follow into it. */
export function isRefundSettled(group: Group, refundId: string): boolean {
  const lines = group.refundLines.filter((line) => line.refundId === refundId);
  if (lines.some(isOpen)) return false;
  const isNewest = lines.some(({ refundNumber }) => refundNumber === group.refundNumber);
  return !isNewest || !isStopUnresolved(group);
}

function deriveRefunded(group: Group): RefundedState {
  if (!group.intents.some(({ state }) => state === 'captured')) return 'refunded';
  const newest = group.refundLines.filter(({ refundNumber }) => refundNumber === group.refundNumber);
  if (!newest.some(({ state }) => state === 'refunded')) return 'refund_failed';
  // At least one line of the newest request gave money back, so some intent counts as refunded.
  return 'partially_refunded';
}

function deriveCaptured(group: Group): GroupState {
  let captured = 0;
  let failed = 0;
  for (const { state } of group.captures) {
    if (state === 'captured') captured += 1;
    if (state === 'failed') failed += 1;
  }
  if (captured === group.captures.length && isWhole(group)) return 'paid';
  // A refund that the merchant made before the expiry may bounce: its payment is captured, and no capture of the group.
  const hasMoney = captured > 0 || group.intents.some(({ state }) => state === 'captured');
  if (hasMoney) return 'partially_paid';
  return failed === group.captures.length ? 'capture_failed' : 'capturing';
}

/** Whether the captures are those of every slot: at an expiry only some of them may be captured. */
function isWhole({ slots, captures }: Group): boolean {
  return slots.every((slot) => captures.some(({ intentId }) => intentId === slot.intentId));
}

/** The machine's trigger for each finding. */
export const findings: Readonly<Record<Exclude<GroupState, 'draft'>, GroupTrigger>> = {
  open: 'none_held',
  partially_preauthorised: 'some_held',
  preauthorised: 'all_held',
  capturing: 'captures_started',
  partially_paid: 'some_captured',
  paid: 'all_captured',
  capture_failed: 'captures_failed',
  refunding: 'refund_pending',
  refunded: 'all_refunded',
  partially_refunded: 'some_refunded',
  refund_failed: 'none_refunded',
  expired: 'expire',
  cancelled: 'cancel',
};
