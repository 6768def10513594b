import Type, { type Static } from '@gp/bundled/typebox';
import { CurrencyCode, Failure, Instant, Minor, Nullable, OneOf, PspCode, Scope, Uuid } from '../common.ts';
import { message, rpc } from '../contract.ts';
import { PublicEvent } from '../events/events.ts';
import { GroupState, GroupView, PaymentSummary, SlotView } from '../ledger/views.ts';
import { DELIVERY_STATES } from '../webhooks/deliveries.ts';

/** A payment as the merchant's staff may see it: with its payer. */
export const PaymentHistory = Type.Object({
  ...PaymentSummary.properties,
  payer: Type.Object({
    /** Absent in replies of release 1.0. */
    id: Type.Optional(Uuid),
    email: Type.String(),
    name: Nullable(Type.String()),
  }),
});
export type PaymentHistory = Static<typeof PaymentHistory>;

/** A change of state of a group or of one of its payments (Q32). */
export const TransitionView = Type.Object({
  id: Uuid,
  entity: OneOf(['group', 'intent']),
  entity_id: Uuid,
  state_from: Nullable(Type.String()),
  state_to: Type.String(),
  actor: Type.String(),
  is_command: Type.Boolean(),
  trace_id: Nullable(Type.String()),
  at: Instant,
  /** Why a payment, or a refund of it, failed; null for every other transition, absent in replies of release 1.0. */
  failure: Type.Optional(Nullable(Failure)),
  /** The gateway's name of the payment, where an outcome of the gateway led here; absent in replies of release 1.0. */
  psp_reference: Type.Optional(Nullable(Type.String())),
});
export type TransitionView = Static<typeof TransitionView>;

/** Returns one group with its payments, its transitions, newest last, and the sums of its postings. */
export const describeGroup = rpc('rpc.ledger.groups.describe.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid }),
  response: Type.Object({
    group: GroupView,
    slots: Type.Array(Type.Object({ ...SlotView.properties, intent_id: Nullable(Uuid) })),
    payments: Type.Array(PaymentHistory),
    transitions: Type.Array(TransitionView),
    /** True when older transitions were left out. */
    is_cut: Type.Boolean(),
    money: Type.Object({ held_minor: Minor, captured_minor: Minor, refunded_minor: Minor }),
    /** The group has not ended and no capture was ever tried (Q2). */
    can_cancel: Type.Boolean(),
    /** There is a captured payment that is in no dispute, at a gateway that supports refunds. */
    can_refund: Type.Boolean(),
  }),
});

/**
 * Returns the payments that a refund of these slots, or of everything without them, would include: always whole
 * payments. Changes nothing. Errors: not_found, and those of the refund itself: invalid_slot_ids,
 * slots_not_captured, nothing_to_refund.
 */
export const previewRefund = rpc('rpc.ledger.refunds.preview.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    group_id: Uuid,
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
  }),
  response: Type.Object({
    currency: CurrencyCode,
    /** The refunded amount if every payment without an obstacle is refunded. */
    total_minor: Minor,
    payments: Type.Array(
      Type.Object({
        intent_id: Uuid,
        psp_code: PspCode,
        amount_minor: Minor,
        /** The part of it that is a tip; absent for none. */
        tip_minor: Type.Optional(Minor),
        payer_email: Type.String(),
        slot_ids: Type.Array(Uuid),
        /** Unselected slots that are refunded as well, because one payment covers them (E4). */
        other_slot_ids: Type.Array(Uuid),
        /** The reason its gateway will not be called; null when it will be. */
        obstacle: Nullable(Type.String()),
      }),
    ),
  }),
});

/**
 * Returns the sums of each UTC day of the merchant's time since `days` days ago, today included; days without
 * postings are left out. Also returns the groups created in that period, by the state they are in now.
 */
export const sumMoney = rpc('rpc.ledger.postings.sum.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, days: Type.Integer({ minimum: 1, maximum: 92 }) }),
  response: Type.Object({
    now: Instant,
    sums: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        currency: CurrencyCode,
        held_minor: Minor,
        captured_minor: Minor,
        refunded_minor: Minor,
      }),
    ),
    groups: Type.Array(Type.Object({ state: GroupState, count: Type.Integer() })),
  }),
});

/** Counts the groups with unfinished payments at each gateway: disconnecting it would leave them waiting. */
export const countOpenGroups = rpc('rpc.ledger.gateways.count-open.v1', {
  repeatable: true,
  request: Type.Object(Scope),
  response: Type.Object({
    gateways: Type.Array(Type.Object({ psp_code: PspCode, open_groups: Type.Integer() })),
  }),
});

/**
 * Lists every delivery of a group's events to the endpoints that still exist, oldest event first; at most 500, or
 * as many as fit.
 */
export const listGroupDeliveries = rpc('rpc.webhooks.deliveries.list-of-group.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_payment_id: Uuid }),
  response: Type.Object({
    deliveries: Type.Array(
      Type.Object({
        event_id: Uuid,
        event_type: PublicEvent.properties.type,
        endpoint_id: Uuid,
        url: Type.String(),
        state: OneOf(DELIVERY_STATES),
        attempts: Type.Integer(),
        next_attempt_at: Nullable(Instant),
        trace_id: Nullable(Type.String()),
        created_at: Instant,
        settled_at: Nullable(Instant),
      }),
    ),
  }),
});

/**
 * Sums the results of requests to a merchant's endpoints: by UTC day since `days` days ago, and for each endpoint
 * recently.
 */
export const sumAttempts = rpc('rpc.webhooks.attempts.sum.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, days: Type.Integer({ minimum: 1, maximum: 30 }) }),
  response: Type.Object({
    now: Instant,
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        acknowledged: Type.Integer(),
        failed: Type.Integer(),
      }),
    ),
    endpoints: Type.Array(
      Type.Object({
        endpoint_id: Uuid,
        /** In the last 24 hours. */
        acknowledged: Type.Integer(),
        failed: Type.Integer(),
        /** Now. */
        pending: Type.Integer(),
        held: Type.Integer(),
        last_acknowledged_at: Nullable(Instant),
        /** The first failure after which nothing was acknowledged, of those 24 hours; absent in replies of release 1.0, as are the next. */
        failing_since: Type.Optional(Nullable(Instant)),
        /** The latest response; null when there was none. */
        last_http_status: Type.Optional(Nullable(Type.Integer())),
        last_error_class: Type.Optional(Nullable(Type.String())),
        next_attempt_at: Type.Optional(Nullable(Instant)),
      }),
    ),
  }),
});

/** A use of a secret key: each replica of the edge publishes it at most once a minute. */
export const KeyUse = Type.Object({
  ...Scope,
  key_id: Uuid,
  last_used_at: Instant,
  /** The address of the latest use. */
  address: Type.String({ maxLength: 64 }),
});
export type KeyUse = Static<typeof KeyUse>;
export const noteKeyUse = message('cmd.merchant.key_use.note.v1', KeyUse);
