import type { Attempt, Capture, Group, Intent, RefundLine, Slot, Void } from '../domain/index.ts';

/** An event as the `events` table keeps it. */
export type EventRow = {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly group_version: number;
};

/** The rows that differ between two versions of a group: what did not change is the very same object in both. */
export function changedRows(before: Group, after: Group) {
  const attempts = attemptsOf(after);
  const orders = (group: Group) => [...group.captures, ...group.voids, ...group.refundLines];
  const voids = new Set<object>(after.voids);
  const lines = new Set<object>(after.refundLines);
  return {
    slots: added(before.slots, after.slots).map(slotRow),
    intents: added(before.intents, after.intents).map(intentRow),
    attempts: added(
      attemptsOf(before).map(({ attempt }) => attempt),
      attempts.map(({ attempt }) => attempt),
    ).map((attempt) =>
      attemptRow(attempt, attempts.find((entry) => entry.attempt === attempt)?.intentId ?? ''),
    ),
    orders: added(orders(before), orders(after)).map((order) =>
      lines.has(order)
        ? refundRow(order as RefundLine)
        : voids.has(order)
          ? voidRow(order as Void)
          : captureRow(order as Capture),
    ),
  };
}

function added<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before);
  return after.filter((row) => !known.has(row));
}

function attemptsOf(group: Group): { intentId: string; attempt: Attempt }[] {
  return group.intents.flatMap((intent) =>
    intent.attempts.map((attempt) => ({ intentId: intent.id, attempt })),
  );
}

function slotRow(slot: Slot) {
  return {
    sequence_no: slot.sequenceNo,
    state: slot.state,
    assigned_customer_id: slot.assignedCustomerId,
    reserved_until: iso(slot.reservedUntilMs),
    intent_id: slot.intentId,
  };
}

function intentRow(intent: Intent) {
  return {
    id: intent.id,
    customer_id: intent.customerId,
    psp_code: intent.pspCode,
    credential_version: intent.credentialVersion,
    amount_minor: intent.amountMinor.toString(),
    slot_ids: intent.slotIds,
    state: intent.state,
    unknown: intent.unknown,
    winning_attempt_id: intent.winningAttemptId,
    declines: intent.declines,
    renewals: intent.renewals,
    capture_before: iso(intent.captureBeforeMs),
    amount_captured: intent.amountCapturedMinor.toString(),
    amount_refunded: intent.amountRefundedMinor.toString(),
    disputed: intent.disputed,
    superseded_by: intent.supersededBy,
    failure: intent.failure,
    created_at: iso(intent.createdAtMs),
  };
}

function attemptRow(attempt: Attempt, intentId: string) {
  return {
    id: attempt.id,
    intent_id: intentId,
    seq: attempt.seq,
    state: attempt.state,
    amount_minor: attempt.amountMinor?.toString() ?? null,
    capture_before: iso(attempt.captureBeforeMs),
    psp_reference: attempt.pspReference,
    started_at: iso(attempt.startedAtMs),
  };
}

function orderRow(order: Capture | Void | RefundLine) {
  return {
    id: order.id,
    intent_id: order.intentId,
    attempt_id: order.attemptId,
    operation_id: order.operationId,
    seq: order.seq,
    state: order.state,
    requested_at: iso(order.requestedAtMs),
  };
}

const captureRow = (order: Capture) => ({ ...orderRow(order), kind: 'capture' });
const voidRow = (order: Void) => ({
  ...orderRow(order),
  kind: 'void',
  unless_authorised: order.unlessAuthorised,
});
const refundRow = (line: RefundLine) => ({
  ...orderRow(line),
  kind: 'refund',
  refund_id: line.refundId,
  refund_number: line.refundNumber,
  source: line.source,
  amount_minor: line.amountMinor.toString(),
  failure: line.failure,
});

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
