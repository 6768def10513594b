import type {
  CaptureMinimum,
  describeGroup,
  GroupSum,
  GroupView,
  listGroupDeliveries,
  ResponseOf,
} from '@gp/contracts';
import { moneyView } from '../../domain/money-view.ts';
import { buildTimeline } from '../../domain/timeline.ts';
import type {
  CaptureAtExpiry,
  ListedGroupPayment,
  GroupMoney,
  GroupPaymentDetail,
  GroupPaymentIntent,
  GroupPaymentItem,
  GroupPaymentOrganiser,
  GroupPaymentSlot,
} from '../api.ts';

type Described = ResponseOf<typeof describeGroup>;
type Deliveries = ResponseOf<typeof listGroupDeliveries>['deliveries'];

/** Returns a group as an item of a list; `checkoutUrl` is the address of the payers' pages. */
export function itemView(group: GroupView, checkoutUrl: string): GroupPaymentItem {
  const { id, group_name, merchant_order_id, client_reference = null, state } = group;
  const { expires_at, created_at, updated_at } = group;
  const total = moneyView(group.total_minor, group.currency);
  const checkout_url = `${checkoutUrl}/c/${group.page_token}`;
  return {
    id,
    group_name,
    merchant_order_id,
    client_reference,
    total,
    state,
    expires_at,
    created_at,
    updated_at,
    checkout_url,
  };
}

/** Returns a group as an item of a list, with the state of its money where `sum` has it. */
export function listedView(
  group: GroupView,
  sum: Omit<GroupSum, 'group_id'> | undefined,
  checkoutUrl: string,
): ListedGroupPayment {
  const item = { ...itemView(group, checkoutUrl), ...captureAtExpiry(group) };
  if (!sum) return item;
  const { is_disputed = false } = sum;
  return { ...item, money: groupMoney(sum, group.currency), is_disputed };
}

function groupMoney(sum: Omit<GroupSum, 'group_id'>, currency: string): GroupMoney {
  return {
    held: moneyView(sum.held_minor, currency),
    captured: moneyView(sum.captured_minor, currency),
    refunded: moneyView(sum.refunded_minor, currency),
  };
}

/**
 * Returns a group with all its details; `deliveries` is absent when the dispatcher could not be reached. `mayHaveLinks` is
 * true for members who may hold the organiser's link, which gives its holder the organiser's rights (Q83).
 */
export function detailView(
  described: Described,
  deliveries: Deliveries | undefined,
  { checkoutUrl, mayHaveLinks }: { readonly checkoutUrl: string; readonly mayHaveLinks: boolean },
): GroupPaymentDetail {
  const { group, slots, payments, transitions, is_cut, money, can_cancel, can_refund } = described;
  return {
    group_payment: { ...itemView(group, checkoutUrl), metadata: group.metadata },
    ...(group.organiser && { organiser: organiserView(group.organiser, mayHaveLinks ? checkoutUrl : null) }),
    ...captureAtExpiry(group),
    ...(group.max_tip_minor !== undefined && { max_tip: moneyView(group.max_tip_minor, group.currency) }),
    slots: slots.map((slot) => slotView(slot, group.currency)),
    payments: payments.map((payment) => paymentView(payment, group.currency)),
    money: groupMoney(money, group.currency),
    timeline: buildTimeline(transitions, deliveries ?? []),
    is_timeline_cut: is_cut,
    is_webhooks_missing: deliveries === undefined,
    can_cancel,
    can_refund,
  };
}

function captureAtExpiry({ capture_minimum: minimum, currency }: GroupView): {
  capture_at_expiry?: CaptureAtExpiry;
} {
  return minimum ? { capture_at_expiry: minimumView(minimum, currency) } : {};
}

function minimumView(minimum: CaptureMinimum, currency: string): CaptureAtExpiry {
  return 'slots' in minimum
    ? { minimum_slots: minimum.slots }
    : { minimum_amount: moneyView(minimum.amount_minor, currency) };
}

function organiserView(
  { may, latest_expires_at, token }: NonNullable<GroupView['organiser']>,
  checkoutUrl: string | null,
): GroupPaymentOrganiser {
  const rights = { may, latest_expires_at };
  return checkoutUrl === null ? rights : { ...rights, organiser_url: `${checkoutUrl}/o/${token}` };
}

function slotView(slot: Described['slots'][number], currency: string): GroupPaymentSlot {
  const { id, sequence_no, label = null, state, reserved_until, metadata, intent_id } = slot;
  const amount = moneyView(slot.amount_minor, currency);
  return { id, sequence_no, label, amount, state, reserved_until, metadata, payment_intent_id: intent_id };
}

function paymentView(payment: Described['payments'][number], currency: string): GroupPaymentIntent {
  const { id, psp_code, state, slot_ids, payer, created_at, failure } = payment;
  return {
    id,
    psp_code,
    state,
    amount: moneyView(payment.amount_minor, currency),
    ...(payment.tip_minor !== undefined && { tip: moneyView(payment.tip_minor, currency) }),
    captured: moneyView(payment.captured_minor, currency),
    refunded: moneyView(payment.refunded_minor, currency),
    slot_ids,
    payer: { id: payer.id ?? null, email: payer.email, name: payer.name },
    is_unknown: payment.unknown,
    is_disputed: payment.disputed,
    failure: failure && { code: failure.code, message: failure.message },
    created_at,
  };
}
