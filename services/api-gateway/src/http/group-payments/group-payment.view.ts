import type { GroupView, GroupWithSlots, SlotView } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { findCurrency, formatMinor, rawNumber } from '@gp/money';

/** Builds the responses that show groups; `checkoutUrl` is where participants open their pages. */
export function groupPaymentViews(checkoutUrl: string) {
  const base = checkoutUrl.replace(/\/+$/, '');
  const buildPageUrl = (pageToken: string): string => `${base}/c/${pageToken}`;
  const buildOrganiserUrl = (token: string): string => `${base}/o/${token}`;
  const links = ({ page_token, organiser }: GroupView) => ({
    checkout_url: buildPageUrl(page_token),
    ...(organiser && { organiser_url: buildOrganiserUrl(organiser.token) }),
  });
  return {
    checkoutUrl: buildPageUrl,
    organiserUrl: buildOrganiserUrl,
    /** One group with its slots. */
    full: ({ group, slots }: GroupWithSlots) => ({
      group_payment: { ...groupPayment(group), ...organiserOf(group) },
      payment_slots: slots.map((slot) => paymentSlot(slot, group)),
      ...links(group),
    }),
    /**
     * The same for a payer's browser: it shows which slots are free and which are taken, and not by whom (A11).
     * The merchant's metadata and reference may name people, and a customer's id could be recognised in another group. The
     * organiser's link is a permission that payers do not have (Q83).
     */
    forPayers: ({ group, slots }: GroupWithSlots) => ({
      group_payment: { ...groupPayment(group), client_reference: null, metadata: {} },
      payment_slots: slots.map((slot) => ({
        ...paymentSlot(slot, group),
        assigned_customer_id: null,
        metadata: {},
      })),
      checkout_url: buildPageUrl(group.page_token),
    }),
    /** A group in a list. */
    item: (group: GroupView) => ({ ...groupPayment(group), ...organiserOf(group), ...links(group) }),
  };
}
export type GroupPaymentViews = ReturnType<typeof groupPaymentViews>;

/** Returns an amount in currency units, as a JSON number with all decimals of its currency. */
export function shownAmount(minor: string, code: string): unknown {
  const currency = findCurrency(code);
  if (!currency)
    throw new AppError('internal_error', {}, { cause: new Error('an amount without a currency') });
  return rawNumber(formatMinor(BigInt(minor), currency));
}

function groupPayment(group: GroupView) {
  return {
    id: group.id,
    merchant_id: group.merchant_id,
    group_name: group.group_name,
    merchant_order_id: group.merchant_order_id,
    client_reference: group.client_reference ?? null,
    total_amount: shownAmount(group.total_minor, group.currency),
    currency: group.currency,
    expires_at: group.expires_at,
    state: group.state,
    metadata: group.metadata,
    ...minimumOf(group),
    ...tipsOf(group),
    created_at: group.created_at,
    updated_at: group.updated_at,
  };
}

function minimumOf({ capture_minimum: minimum, currency }: GroupView) {
  if (!minimum) return {};
  return {
    capture_at_expiry:
      'slots' in minimum
        ? { minimum_slots: minimum.slots }
        : { minimum_amount: shownAmount(minimum.amount_minor, currency) },
  };
}

function tipsOf({ max_tip_minor, currency }: GroupView) {
  return max_tip_minor === undefined ? {} : { tips: { max_amount: shownAmount(max_tip_minor, currency) } };
}

function organiserOf({ organiser }: GroupView) {
  if (!organiser) return {};
  const { may, latest_expires_at } = organiser;
  return { organiser: { may, latest_expires_at } };
}

function paymentSlot(slot: SlotView, group: GroupView) {
  return {
    id: slot.id,
    merchant_id: group.merchant_id,
    group_payment_id: group.id,
    sequence_no: slot.sequence_no,
    ...(slot.label !== undefined && { label: slot.label }),
    assigned_customer_id: slot.assigned_customer_id,
    amount: shownAmount(slot.amount_minor, group.currency),
    currency: group.currency,
    state: slot.state,
    metadata: slot.metadata,
    created_at: slot.created_at,
    updated_at: slot.updated_at,
  };
}
