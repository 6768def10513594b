import type { GroupState, IntentState, OrganiserRight, Outcome, PspCode, SlotState } from '@gp/contracts';
import type { Happening, ToldFailure } from '../../domain/timeline.ts';
import type { CustomerItem } from './customers.ts';
import type { Money } from './money.ts';

/** The parts of a group's total: held and not captured; captured and not refunded; refunded. */
export type GroupMoney = { readonly held: Money; readonly captured: Money; readonly refunded: Money };
export type GroupPaymentItem = {
  readonly id: string;
  readonly group_name: string;
  readonly merchant_order_id: string;
  /** The merchant's own name of the group payment; null where there is none. */
  readonly client_reference: string | null;
  readonly total: Money;
  readonly state: GroupState;
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly checkout_url: string;
};
/** An item of the list. */
export type ListedGroupPayment = GroupPaymentItem & {
  readonly money?: GroupMoney;
  /** A payment of it is in dispute. */
  readonly is_disputed?: boolean;
  /** Absent where everything is released when time runs out. */
  readonly capture_at_expiry?: CaptureAtExpiry;
};
/**
 * GET /api/{mode}/group-payments?state=&disputed=true&created_after=&created_before=&limit=&offset=&cursor=
 * GET /api/{mode}/group-payments/export?state=&disputed=true&created_after=&created_before=&format=csv|jsonl: all of them as a
 * file, or with `text=` alone what a search finds. GET /api/{mode}/payments/export: the payments of the same group payments.
 */
export type GroupPaymentPage = {
  readonly group_payments: readonly ListedGroupPayment[];
  readonly pagination: {
    readonly limit: number;
    readonly total: number;
    readonly next_cursor: string | null;
  };
};
/**
 * GET /api/{mode}/search?text= finds the newest group payments that a text names, and the customers whose latest payment is the
 * newest; `is_cut` and `is_customers_cut` where there are more.
 */
export type GroupPaymentSearch = {
  readonly group_payments: readonly ListedGroupPayment[];
  readonly is_cut: boolean;
  readonly customers: readonly CustomerItem[];
  readonly is_customers_cut: boolean;
};
export type GroupPaymentSlot = {
  readonly id: string;
  readonly sequence_no: number;
  /** The merchant's text beside the amount (Q71). */
  readonly label: string | null;
  readonly amount: Money;
  readonly state: SlotState;
  readonly reserved_until: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The payment that holds or paid it. */
  readonly payment_intent_id: string | null;
};
export type GroupPaymentIntent = {
  readonly id: string;
  readonly psp_code: PspCode;
  readonly state: IntentState;
  readonly amount: Money;
  /** The part of the amount that the payer added to the slots; absent where that is nothing. */
  readonly tip?: Money;
  readonly captured: Money;
  readonly refunded: Money;
  readonly slot_ids: readonly string[];
  readonly payer: {
    /** Null while a ledger of the older release answers. */
    readonly id: string | null;
    readonly email: string;
    readonly name: string | null;
  };
  /** The gateway's result is not known yet. */
  readonly is_unknown: boolean;
  readonly is_disputed: boolean;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly created_at: string;
};
export type TimelineEntry = Happening;
/** How an outcome became known; the `actor` of an entry has it behind the name of the gateway and a colon. */
export type OutcomeSource = Outcome['source'];
export type { ToldFailure };
/** What the organiser may do, as it was fixed at creation. */
export type GroupPaymentOrganiser = {
  readonly may: readonly OrganiserRight[];
  /** How far the organiser may extend the time to pay; null without that right. */
  readonly latest_expires_at: string | null;
  /** Gives its holder these rights. Absent in lists and files, and for members who may not act on payments. */
  readonly organiser_url?: string;
};
/** From what is held on a group payment is captured when its time runs out, as it was fixed at creation. */
export type CaptureAtExpiry = { readonly minimum_amount: Money } | { readonly minimum_slots: number };
/** GET /api/{mode}/group-payments/{id} */
export type GroupPaymentDetail = {
  readonly group_payment: GroupPaymentItem & { readonly metadata: Readonly<Record<string, unknown>> };
  /** Only where the group payment was created with one. */
  readonly organiser?: GroupPaymentOrganiser;
  /** Absent where everything is released then. */
  readonly capture_at_expiry?: CaptureAtExpiry;
  /** The most that each payment may add to its slots; absent where payers may add nothing. */
  readonly max_tip?: Money;
  readonly slots: readonly GroupPaymentSlot[];
  readonly payments: readonly GroupPaymentIntent[];
  readonly money: GroupMoney;
  readonly timeline: readonly TimelineEntry[];
  /** Older entries were left out. */
  readonly is_timeline_cut: boolean;
  /** The dispatcher could not be reached: webhooks are missing from the timeline. */
  readonly is_webhooks_missing: boolean;
  readonly can_cancel: boolean;
  readonly can_refund: boolean;
};
/** GET /api/{mode}/group-payments/{id}/refund-preview?slot_ids=a,b; without slots, the whole group. */
export type RefundPreview = {
  readonly total: Money;
  readonly payments: readonly {
    readonly payment_intent_id: string;
    readonly psp_code: PspCode;
    readonly amount: Money;
    /** The part of the amount that is a tip; absent for none. */
    readonly tip?: Money;
    readonly payer_email: string;
    readonly slot_ids: readonly string[];
    /** Slots that were not chosen and are refunded with it, because one payment covers them. */
    readonly other_slot_ids: readonly string[];
    /** Why it will not be refunded; null when the refund will be tried. */
    readonly obstacle: string | null;
  }[];
};
/**
 * POST /api/{mode}/group-payments/{id}/refund {slot_ids?} with an Idempotency-Key; 200 even when nothing was
 * refunded.
 */
export type RefundResult = {
  readonly refunded_payment_intents: readonly string[];
  readonly refunded_slot_ids: readonly string[];
  readonly failed: readonly {
    readonly payment_intent_id: string;
    readonly psp_code: PspCode;
    readonly error: string;
  }[];
  readonly group_state: GroupState;
};
/** POST /api/{mode}/group-payments/{id}/roll-checkout-link with an Idempotency-Key. */
export type RolledCheckoutLink = { readonly checkout_url: string };
/** POST /api/{mode}/group-payments/{id}/roll-organiser-link with an Idempotency-Key; a member who may not act on payments does not get the new link. */
export type RolledOrganiserLink = { readonly organiser_url?: string };
/**
 * POST /api/{mode}/group-payments {group_name, currency, expires_in_seconds, total_amount and number_of_slots, or slots: {amount, label?}[],
 * organiser?: {may} | null, capture_at_expiry?: {minimum_slots} | {minimum_amount}, max_tip?} with an Idempotency-Key: creates a group
 * payment by hand. The amounts are texts, such as `30.00`. Live mode needs an active gateway.
 */
export type CreatedByHand = {
  readonly id: string;
  readonly group_name: string;
  readonly checkout_url: string;
  /** With `organiser`, for members who may act on payments. */
  readonly organiser_url?: string;
};
