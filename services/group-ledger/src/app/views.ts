import type { GroupView, GroupWithSlots, IntentView, SlotView } from '@gp/contracts';
import type { Group, Intent } from '../domain/index.ts';
import type { GroupJson, SlotJson } from '../db/group.row.ts';

/** A group with its slots as the bus shows it; `group` may be newer than the rows it was read with. */
export function groupWithSlots(
  group: Group,
  row: GroupJson,
  slotRows: readonly SlotJson[],
  updatedAtMs = Date.parse(row.updated_at),
): GroupWithSlots {
  const createdAt = iso(group.createdAtMs);
  const slots = group.slots.map((slot): SlotView => {
    const stored = slotRows.find((candidate) => candidate.id === slot.id);
    return {
      id: slot.id,
      sequence_no: slot.sequenceNo,
      assigned_customer_id: slot.assignedCustomerId,
      amount_minor: slot.amountMinor.toString(),
      state: slot.state,
      reserved_until: slot.reservedUntilMs === null ? null : iso(slot.reservedUntilMs),
      metadata: stored?.metadata ?? {},
      created_at: createdAt,
      updated_at: iso(stored ? Date.parse(stored.updated_at) : updatedAtMs),
    };
  });
  return { group: { ...groupView(row), state: group.state, updated_at: iso(updatedAtMs) }, slots };
}

/** A group alone, as the list shows it. */
export function groupView(row: GroupJson): GroupView {
  return {
    id: row.id,
    merchant_id: row.merchant_id,
    mode: row.mode,
    group_name: row.group_name,
    merchant_order_id: row.merchant_order_id,
    total_minor: String(row.total_minor),
    currency: row.currency,
    expires_at: isoText(row.expires_at),
    state: row.state,
    metadata: row.metadata ?? {},
    page_token: row.page_token,
    created_at: isoText(row.created_at),
    updated_at: isoText(row.updated_at),
  };
}

export function intentView(group: Group, intent: Intent): IntentView {
  return {
    id: intent.id,
    group_id: group.id,
    merchant_id: group.merchantId,
    mode: group.mode,
    customer_id: intent.customerId,
    psp_code: intent.pspCode,
    credential_version: intent.credentialVersion,
    amount_minor: intent.amountMinor.toString(),
    currency: group.currency,
    slot_ids: [...intent.slotIds],
    state: intent.state,
    unknown: intent.unknown,
    failure: intent.failure,
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
const isoText = (text: string) => iso(Date.parse(text));
