import type { GroupFacts, GroupView, GroupWithSlots, IntentView, SlotView } from '@gp/contracts';
import {
  awaitsPayers,
  findFailure,
  findShownName,
  isCollecting,
  isSettled,
  type Group,
  type Intent,
} from '../../domain/index.ts';
import type { GroupJson, SlotJson } from '../../db/group/group.row.ts';

/** A group with its slots as the bus shows it. */
export function groupWithSlots(group: GroupJson, slots: readonly SlotJson[]): GroupWithSlots {
  return { group: groupView(group), slots: slots.map((slot) => slotView(slot, group.created_at)) };
}

/** A group alone, as the list shows it. */
export function groupView(row: GroupJson): GroupView {
  return {
    id: row.id,
    merchant_id: row.merchant_id,
    mode: row.mode,
    group_name: row.group_name,
    merchant_order_id: row.merchant_order_id,
    client_reference: row.client_reference,
    total_minor: String(row.total_minor),
    currency: row.currency,
    expires_at: instant(row.expires_at),
    state: row.state,
    metadata: row.metadata ?? {},
    page_token: row.page_token,
    link_number: row.link_number,
    ...organiserView(row),
    ...minimumView(row),
    ...(row.max_tip_minor !== null && { max_tip_minor: String(row.max_tip_minor) }),
    version: row.version,
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  };
}

function organiserView(row: GroupJson): Pick<GroupView, 'organiser'> {
  const { organiser_token: token, organiser_rights: rights, organiser_link_number: link_number } = row;
  return token === null || rights === null ? {} : { organiser: { ...rights, token, link_number } };
}

function minimumView(row: GroupJson): Pick<GroupView, 'capture_minimum'> {
  const { capture_minimum_minor: minor, capture_minimum_slots: slots } = row;
  if (minor !== null) return { capture_minimum: { amount_minor: String(minor) } };
  return slots === null ? {} : { capture_minimum: { slots } };
}

export function groupFacts(group: Group): GroupFacts {
  return {
    is_collecting: isCollecting(group),
    awaits_payers: awaitsPayers(group),
    is_settled: isSettled(group),
  };
}

/** Slots are made with their group, so its creation is theirs. */
function slotView(row: SlotJson, createdAt: string): SlotView {
  return {
    id: row.id,
    sequence_no: row.sequence_no,
    assigned_customer_id: row.assigned_customer_id,
    amount_minor: String(row.amount_minor),
    ...(row.label !== null && { label: row.label }),
    state: row.state,
    reserved_until: row.reserved_until === null ? null : instant(row.reserved_until),
    metadata: row.metadata ?? {},
    created_at: instant(createdAt),
    updated_at: instant(row.updated_at),
  };
}

/** Returns the slots with the names of those payers who agreed to show theirs (Q97). */
export function showNames(group: Group, slots: readonly SlotView[]): SlotView[] {
  const names = new Map(group.slots.map((slot) => [slot.id, findShownName(group, slot)]));
  return slots.map((slot) => {
    const shown_name = names.get(slot.id) ?? null;
    return shown_name === null ? slot : { ...slot, shown_name };
  });
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
    ...(intent.tipMinor > 0n && { tip_minor: intent.tipMinor.toString() }),
    currency: group.currency,
    slot_ids: [...intent.slotIds],
    state: intent.state,
    unknown: intent.unknown,
    failure: findFailure(intent),
  };
}

/** Postgres writes its offset and as many decimals as it likes. */
const instant = (text: string) => new Date(text).toISOString();
