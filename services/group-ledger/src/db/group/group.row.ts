import type { Mode, OrganiserRights } from '@gp/contracts';
import type { Group, Organiser, Slot } from '../../domain/index.ts';
import { iso, isoOrNull, ms, msOrNull } from './instants.ts';
import { intentFromRow, type AttemptJson, type IntentJson } from './intent.row.ts';
import { operationsFromRows, type OperationJson } from './operation.row.ts';

/** Rows as `to_jsonb` writes them: instants are text, bigints numbers below 2^53. */
export type GroupJson = {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly group_name: string;
  readonly merchant_order_id: string;
  /** The merchant's own name of the group; null where none was given. */
  readonly client_reference: string | null;
  readonly total_minor: number;
  readonly currency: string;
  readonly state: Group['state'];
  readonly metadata: Metadata;
  readonly page_token: string;
  readonly link_number: number;
  /** Null where the group has no organiser. */
  readonly organiser_token: string | null;
  readonly organiser_link_number: number;
  readonly organiser_rights: OrganiserRights | null;
  /** What must be held for a capture when time runs out: one of the two, or neither. */
  readonly capture_minimum_minor: number | null;
  readonly capture_minimum_slots: number | null;
  /** The most that each payment may add to its slots; null where payers may add nothing. */
  readonly max_tip_minor: number | null;
  readonly expires_at: string;
  readonly expired_at: string | null;
  readonly cancelled_at: string | null;
  readonly capture_stopped_at: string | null;
  readonly version: number;
  readonly sequence: number;
  readonly refund_number: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** The trace of the request that made it. */
  readonly traceparent: string | null;
};

export type SlotJson = {
  readonly sequence_no: number;
  readonly id: string;
  readonly amount_minor: number;
  readonly state: Slot['state'];
  readonly assigned_customer_id: string | null;
  readonly reserved_until: string | null;
  readonly intent_id: string | null;
  readonly metadata: Metadata;
  /** What payers see beside the amount; null where the merchant gave nothing. */
  readonly label: string | null;
  readonly updated_at: string;
};

/** Columns of a slot beside its money state: no decision reads them. */
export type SlotTexts = Pick<SlotJson, 'metadata' | 'label'>;

/** Null where the merchant gave none: the common case, not worth the bytes of an empty object. */
export type Metadata = Readonly<Record<string, unknown>> | null;

export type AggregateJson = {
  readonly group: GroupJson;
  readonly slots: readonly SlotJson[];
  readonly intents: readonly IntentJson[];
  readonly attempts: readonly AttemptJson[];
  readonly orders: readonly OperationJson[];
};

/** Columns of a group beside its money state. */
export type GroupNames = Pick<
  GroupJson,
  | 'group_name'
  | 'merchant_order_id'
  | 'client_reference'
  | 'page_token'
  | 'organiser_token'
  | 'metadata'
  | 'traceparent'
>;

/** Builds the aggregate the domain decides on. */
export function groupFromRows({ group, slots, intents, attempts, orders }: AggregateJson): Group {
  const listAttempts = (intentId: string) => attempts.filter((attempt) => attempt.intent_id === intentId);
  return {
    id: group.id,
    merchantId: group.merchant_id,
    mode: group.mode,
    currency: group.currency,
    totalMinor: BigInt(group.total_minor),
    state: group.state,
    createdAtMs: ms(group.created_at),
    expiresAtMs: ms(group.expires_at),
    organiser: group.organiser_rights && toOrganiser(group.organiser_rights),
    captureMinimum: minimumFromRow(group),
    maxTipMinor: group.max_tip_minor === null ? null : BigInt(group.max_tip_minor),
    cancelledAtMs: msOrNull(group.cancelled_at),
    expiredAtMs: msOrNull(group.expired_at),
    captureStoppedAtMs: msOrNull(group.capture_stopped_at),
    version: group.version,
    sequence: group.sequence,
    refundNumber: group.refund_number,
    slots: slots.map(slotFromRow),
    intents: intents.map((intent) => intentFromRow(intent, listAttempts(intent.id))),
    ...operationsFromRows(orders),
  };
}

/** The row of a group as it is written; both instants of writing are the group's creation until it is. */
export function groupRow(group: Group, names: GroupNames): GroupJson {
  return {
    id: group.id,
    merchant_id: group.merchantId,
    mode: group.mode,
    ...names,
    link_number: 0,
    organiser_link_number: 0,
    organiser_rights: group.organiser && toRights(group.organiser),
    ...minimumColumns(group),
    max_tip_minor: group.maxTipMinor === null ? null : Number(group.maxTipMinor),
    total_minor: Number(group.totalMinor),
    currency: group.currency,
    state: group.state,
    expires_at: iso(group.expiresAtMs),
    expired_at: isoOrNull(group.expiredAtMs),
    cancelled_at: isoOrNull(group.cancelledAtMs),
    capture_stopped_at: isoOrNull(group.captureStoppedAtMs),
    version: group.version,
    sequence: group.sequence,
    refund_number: group.refundNumber,
    created_at: iso(group.createdAtMs),
    updated_at: iso(group.createdAtMs),
  };
}

/** Returns rights, as messages and rows have them, as the domain does. */
export function toOrganiser({ may, latest_expires_at }: OrganiserRights): Organiser {
  return { may, latestExpiresAtMs: msOrNull(latest_expires_at) };
}

function toRights({ may, latestExpiresAtMs }: Organiser): OrganiserRights {
  return { may: [...may], latest_expires_at: isoOrNull(latestExpiresAtMs) };
}

function minimumFromRow({
  capture_minimum_minor: minor,
  capture_minimum_slots: slots,
}: GroupJson): Group['captureMinimum'] {
  if (minor !== null) return { unit: 'amount', minor: BigInt(minor) };
  return slots === null ? null : { unit: 'slots', count: slots };
}

function minimumColumns({ captureMinimum }: Group) {
  return {
    capture_minimum_minor: captureMinimum?.unit === 'amount' ? Number(captureMinimum.minor) : null,
    capture_minimum_slots: captureMinimum?.unit === 'slots' ? captureMinimum.count : null,
  };
}

function slotFromRow(row: SlotJson): Slot {
  return {
    id: row.id,
    sequenceNo: row.sequence_no,
    amountMinor: BigInt(row.amount_minor),
    state: row.state,
    assignedCustomerId: row.assigned_customer_id,
    reservedUntilMs: msOrNull(row.reserved_until),
    intentId: row.intent_id,
  };
}

export function slotRow(slot: Slot, texts: SlotTexts, updatedAt: string): SlotJson {
  return {
    sequence_no: slot.sequenceNo,
    id: slot.id,
    amount_minor: Number(slot.amountMinor),
    state: slot.state,
    assigned_customer_id: slot.assignedCustomerId,
    reserved_until: isoOrNull(slot.reservedUntilMs),
    intent_id: slot.intentId,
    ...texts,
    updated_at: updatedAt,
  };
}
