import Type, { type Static } from '@gp/bundled/typebox';
import {
  CurrencyCode,
  Failure,
  Instant,
  Metadata,
  Minor,
  Nullable,
  OneOf,
  PspCode,
  RefundedState,
  Scope,
  Uuid,
} from '../common.ts';

export const GROUP_STATES = [
  'draft',
  'expired',
  'cancelled',
  'open',
  'partially_preauthorised',
  'preauthorised',
  'capturing',
  'partially_paid',
  'paid',
  'capture_failed',
  'refunding',
  'partially_refunded',
  'refunded',
  'refund_failed',
] as const;
export const SLOT_STATES = [
  'unassigned',
  'assigned',
  'expired',
  'preauthorised',
  'captured',
  'refunded',
  'cancelled',
] as const;
export const INTENT_STATES = [
  'created',
  'processing',
  'preauthorised',
  'capture_pending',
  'captured',
  'refund_pending',
  'refunded',
  'failed',
  'void_pending',
  'voided',
  'capture_failed',
] as const;

export const GroupState = OneOf(GROUP_STATES);
export type GroupState = (typeof GROUP_STATES)[number];
export const SlotState = OneOf(SLOT_STATES);
export type SlotState = (typeof SLOT_STATES)[number];
export const IntentState = OneOf(INTENT_STATES);
export type IntentState = (typeof INTENT_STATES)[number];

/** The fields of a payment that every reader may see. */
export const PaymentSummary = Type.Object({
  id: Uuid,
  psp_code: PspCode,
  state: IntentState,
  /** True while the gateway's answer is not known (R5). */
  unknown: Type.Boolean(),
  disputed: Type.Boolean(),
  amount_minor: Minor,
  /** The part of the amount that the payer added to the slots; only where there is one. */
  tip_minor: Type.Optional(Minor),
  /** The name that is shown to whoever has the group's link; only with the payer's consent. */
  shown_name: Type.Optional(Type.String()),
  captured_minor: Minor,
  refunded_minor: Minor,
  slot_ids: Type.Array(Uuid),
  failure: Nullable(Failure),
  created_at: Instant,
});

/** What a merchant may let the organiser of a group do. Seeing who is missing and paying need no right. */
export const ORGANISER_RIGHTS = ['remind', 'extend', 'cancel'] as const;
export const OrganiserRight = OneOf(ORGANISER_RIGHTS);
export type OrganiserRight = (typeof ORGANISER_RIGHTS)[number];

/** The rights of an organiser, frozen when the group is created. */
export const OrganiserRights = Type.Object({
  may: Type.Array(OrganiserRight, { maxItems: ORGANISER_RIGHTS.length, uniqueItems: true }),
  /** The latest expiry to which the organiser may move that of the group; null without the right to extend. */
  latest_expires_at: Nullable(Instant),
});
export type OrganiserRights = Static<typeof OrganiserRights>;

/** What must be held for a group to be captured when its time runs out: an amount, or a number of slots. */
export const CaptureMinimum = Type.Union([
  Type.Object({ amount_minor: Minor }),
  Type.Object({ slots: Type.Integer({ minimum: 1, maximum: 30 }) }),
]);
export type CaptureMinimum = Static<typeof CaptureMinimum>;

export const GroupView = Type.Object({
  id: Uuid,
  ...Scope,
  group_name: Type.String(),
  merchant_order_id: Type.String(),
  /** The merchant's own name of the group; absent in replies of release 1.0. */
  client_reference: Type.Optional(Nullable(Type.String())),
  total_minor: Minor,
  currency: CurrencyCode,
  expires_at: Instant,
  state: GroupState,
  metadata: Metadata,
  /** Unguessable token of the hosted page (Q25); the edge builds `checkout_url` from it. */
  page_token: Type.String({ minLength: 22 }),
  /** How often the page's token was replaced; absent in replies of release 1.0. */
  link_number: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Only where the group has an organiser: the person who holds the token. */
  organiser: Type.Optional(
    Type.Object({
      ...OrganiserRights.properties,
      token: Type.String({ minLength: 22 }),
      /** How often the token was replaced. */
      link_number: Type.Integer({ minimum: 0 }),
    }),
  ),
  /** Only where the creation set it: else everything is released when time runs out. */
  capture_minimum: Type.Optional(CaptureMinimum),
  /** The most that each payment may add to its slots; absent where payers may add nothing. */
  max_tip_minor: Type.Optional(Minor),
  /** Grows with every change of the group or of anything in it. */
  version: Type.Integer({ minimum: 0 }),
  created_at: Instant,
  updated_at: Instant,
});
export type GroupView = Static<typeof GroupView>;

export const SlotView = Type.Object({
  id: Uuid,
  sequence_no: Type.Integer({ minimum: 1, maximum: 30 }),
  assigned_customer_id: Nullable(Uuid),
  amount_minor: Minor,
  /** What payers see beside the amount; only where the merchant gave one. */
  label: Type.Optional(Type.String()),
  /** The name of the payer who holds the slot or has paid it; only with that payer's consent. */
  shown_name: Type.Optional(Type.String()),
  state: SlotState,
  reserved_until: Nullable(Instant),
  metadata: Metadata,
  created_at: Instant,
  updated_at: Instant,
});
export type SlotView = Static<typeof SlotView>;

export const GroupWithSlots = Type.Object({ group: GroupView, slots: Type.Array(SlotView) });
export type GroupWithSlots = Static<typeof GroupWithSlots>;

/** The ledger's findings about a whole group, so that no other service derives them from its state. */
export const GroupFacts = Type.Object({
  /** Slots may still be taken and given back: the group has not ended and no capture was ever tried (Q2). */
  is_collecting: Type.Boolean(),
  /** The group is collecting, and not every slot is held. */
  awaits_payers: Type.Boolean(),
  /** No further change is expected, except by a new refund or when a gateway corrects an earlier outcome. */
  is_settled: Type.Boolean(),
});
export type GroupFacts = Static<typeof GroupFacts>;

/** `facts` is absent in replies of release 1.0. */
export const FoundGroup = Type.Object({
  ...GroupWithSlots.properties,
  facts: Type.Optional(GroupFacts),
});
export type FoundGroup = Static<typeof FoundGroup>;

export const IntentView = Type.Object({
  id: Uuid,
  group_id: Uuid,
  ...Scope,
  customer_id: Uuid,
  psp_code: PspCode,
  credential_version: Type.Integer({ minimum: 1 }),
  /** What is held and captured: the slots and the tip. */
  amount_minor: Minor,
  /** The part of the amount that the payer added to the slots; only where there is one. */
  tip_minor: Type.Optional(Minor),
  currency: CurrencyCode,
  slot_ids: Type.Array(Uuid),
  state: IntentState,
  /** True while the gateway's answer is not known (R5). */
  unknown: Type.Boolean(),
  failure: Nullable(Failure),
});
export type IntentView = Static<typeof IntentView>;

/** One try to place a hold; every later message about the hold carries its id (R3). */
export const AttemptView = Type.Object({
  id: Uuid,
  seq: Type.Integer({ minimum: 1 }),
  psp_reference: Nullable(Type.String()),
});
export type AttemptView = Static<typeof AttemptView>;

export const Distribution = Type.Union([
  Type.Object({
    type: Type.Literal('equally'),
    number_of_slots: Type.Integer({ minimum: 1, maximum: 30 }),
    slot_metadata: Type.Optional(Type.Array(Metadata, { maxItems: 30 })),
    slot_labels: Type.Optional(Type.Array(Nullable(Type.String()), { maxItems: 30 })),
  }),
  Type.Object({
    type: Type.Literal('custom'),
    slots: Type.Array(
      Type.Object({ amount_minor: Minor, metadata: Metadata, label: Type.Optional(Type.String()) }),
      { minItems: 1, maxItems: 30 },
    ),
  }),
]);

/** The result of one payment of a refund; `waiting` had no effect yet and is sent again, `reversed` came back. */
export const RefundPart = Type.Object({
  intent_id: Uuid,
  psp_code: PspCode,
  slot_ids: Type.Array(Uuid),
  amount_minor: Minor,
  status: OneOf(['started', 'waiting', 'unknown', 'refunded', 'failed', 'reversed']),
  /** The reason it failed, in words a merchant may read. */
  error: Nullable(Type.String()),
  /** The code of that reason; absent in replies of release 1.0. */
  error_code: Type.Optional(Nullable(Failure.properties.code)),
});
export type RefundPart = Static<typeof RefundPart>;

/** One whole refund, as of a version of its group: of two views the one with the greater version is the newer. */
export const RefundView = Type.Object({
  ...Scope,
  group_id: Uuid,
  refund_id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  group_state: GroupState,
  parts: Type.Array(RefundPart),
  /** No part of it is open any more, captures that it stopped and that may still succeed included. */
  is_settled: Type.Boolean(),
  /** The state of the group if every open part fails. */
  state_otherwise: RefundedState,
});
export type RefundView = Static<typeof RefundView>;
