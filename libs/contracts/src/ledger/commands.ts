import Type from '@gp/bundled/typebox';
import { batchRpc, message, rpc } from '../contract.ts';
import {
  ActorName,
  AmountText,
  CommandIdentity,
  ListPosition,
  CurrencyCode,
  Failure,
  Instant,
  Metadata,
  Minor,
  Nullable,
  OneOf,
  PayerDetails,
  RefundRequest,
  Requesters,
  Scope,
  Uuid,
} from '../common.ts';
import {
  CaptureMinimum,
  FoundGroup,
  GroupView,
  GroupWithSlots,
  IntentView,
  AttemptView,
  Distribution,
  OrganiserRights,
  GroupState,
  RefundView,
} from './views.ts';

/** Creates a group; errors: validation_error (expiry, sum, split), idempotency_key_reused. */
export const createGroup = batchRpc('rpc.ledger.groups.create.v1', {
  repeatable: true,
  command: Type.Object({
    ...CommandIdentity,
    ...Scope,
    group_name: Type.String({ minLength: 1, maxLength: 32 }),
    client_reference: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    total_minor: Minor,
    currency: CurrencyCode,
    expires_at: Instant,
    metadata: Metadata,
    distribution: Distribution,
    /** `latest_expires_at` may be null with the right to extend: the ledger chooses a day more then. */
    organiser: Type.Optional(OrganiserRights),
    /** Absent: everything is released when time runs out. */
    capture_minimum: Type.Optional(CaptureMinimum),
    /** Absent: payers may add nothing to their slots. */
    max_tip_minor: Type.Optional(Minor),
  }),
  response: Type.Object({ ...GroupWithSlots.properties, replayed: Type.Boolean() }),
});

export const findGroup = rpc('rpc.ledger.groups.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid }),
  response: FoundGroup,
});

export const findGroupByPageToken = rpc('rpc.ledger.groups.find-by-page-token.v1', {
  repeatable: true,
  request: Type.Object({ page_token: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: FoundGroup,
});

/** Gives a group's page a new token and ends the old one; errors: not_found, idempotency_key_reused. */
export const rollPageToken = rpc('rpc.ledger.groups.roll-page-token.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    actor: ActorName,
  }),
  response: Type.Object({
    page_token: Type.String({ minLength: 22 }),
    link_number: Type.Integer({ minimum: 1 }),
  }),
});

/**
 * A page of groups, newest first: those behind `after` when it is given, else those behind the first `offset`. A
 * message may hold fewer than `limit`, but at least one: to read all of them, continue behind `next`. `total`
 * counts all that match.
 */
export const listGroups = rpc('rpc.ledger.groups.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Type.Integer({ minimum: 0 }),
    after: Type.Optional(ListPosition),
    state: Type.Optional(GroupState),
    merchant_order_id: Type.Optional(Type.String({ maxLength: 255 })),
    client_reference: Type.Optional(Type.String({ maxLength: 255 })),
    /** Groups that this payer started a payment of. */
    customer_email: Type.Optional(Type.String({ maxLength: 320 })),
    customer_id: Type.Optional(Uuid),
    /** True: groups with a payment that is in dispute. */
    disputed: Type.Optional(Type.Literal(true)),
    /** Groups whose metadata has all of these pairs. A text also matches the number or the boolean that it writes. */
    metadata: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.String({ maxLength: 500 }) }), {
        maxItems: 3,
      }),
    ),
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
    /** True for a reader of many pages: the groups are not counted, and `total` is 0. */
    without_total: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({
    groups: Type.Array(GroupView),
    total: Type.Integer(),
    /** The position behind the last of these groups; null when there are no more. */
    next: Nullable(ListPosition),
  }),
});

/** Cancels a group that is still collecting (Q2); errors: not_found, group_expired, group_not_payable. */
export const cancelGroup = rpc('rpc.ledger.groups.cancel.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    actor: ActorName,
  }),
  response: GroupWithSlots,
});

/**
 * Changes what a merchant may change of a group: its name and metadata at any time, its expiry only to a later instant
 * while it collects. `metadata` replaces what there was. Errors: not_found, group_expired, group_not_payable,
 * validation_error (expiry), idempotency_key_reused.
 */
export const updateGroup = rpc('rpc.ledger.groups.update.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    actor: ActorName,
    group_name: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    metadata: Type.Optional(Metadata),
    expires_at: Type.Optional(Instant),
  }),
  response: GroupWithSlots,
});

/**
 * Reserves slots for a payer (A1–A5, A9): all or nothing in one version of the group, account frozen on the intent. Errors: not_found,
 * validation_error, invalid_slot_ids, no_payable_slots, group_expired, group_not_payable, no_active_gateway, idempotency_key_reused.
 */
export const reserveSlots = rpc('rpc.ledger.slots.reserve.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    ...PayerDetails,
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
    /** What the payer adds to the slots, in units of the group's currency, as the request wrote it. */
    tip: Type.Optional(AmountText),
    /** Only these may be reserved; without `slot_ids`, those of them that are free. */
    within_slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
    /** The requesting browser, see startPayment; absent for a merchant's server, which may continue any payment. */
    requesters: Type.Optional(Requesters),
    /** See startPayment; errors: unauthorized, when the link was replaced since. */
    link_number: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  response: Type.Object({
    intent: IntentView,
    /** The try the gateway prepares now; with `server_confirm` a try begins at confirm, so there is none yet. */
    attempt: Nullable(AttemptView),
    reserved_until: Instant,
    merchant_order_id: Type.String(),
    group_name: Type.String(),
    page_token: Type.String({ minLength: 22 }),
    /** `sandbox_fault` of the group's or slot's metadata, test mode only. */
    sandbox_fault: Nullable(Type.String()),
    replayed: Type.Boolean(),
  }),
});

/** Releases the slots of an intent because the gateway could not prepare it; repeatable. */
export const releaseIntent = rpc('rpc.ledger.intents.release.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    group_id: Uuid,
    intent_id: Uuid,
    attempt_id: Nullable(Uuid),
    failure: Failure,
  }),
  response: IntentView,
});

/**
 * Opens a try to authorise a server-confirmed intent. `begun` carries the new attempt; `held`: the hold exists
 * already (Q13); `in_flight`: another try is running; `unknown`: its result is not known (B1). The attempt of either
 * has its `psp_reference` while the payer is awaited at the bank. Errors: not_found, confirm_not_supported,
 * group_expired, group_not_payable, slot_no_longer_available, too_many_declines.
 */
export const beginAuthorisation = rpc('rpc.ledger.intents.begin-authorisation.v1', {
  request: Type.Object({ ...Scope, intent_id: Uuid, within_group_id: Type.Optional(Uuid) }),
  response: Type.Object({
    status: OneOf(['begun', 'held', 'in_flight', 'unknown']),
    intent: IntentView,
    attempt: Nullable(AttemptView),
    merchant_order_id: Type.String(),
    sandbox_fault: Nullable(Type.String()),
    traceparent: Type.Optional(Type.String()),
  }),
});

export const findIntent = rpc('rpc.ledger.intents.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, intent_id: Uuid }),
  response: IntentView,
});

/**
 * Opens a refund of every captured intent, or of those covering `slot_ids` (E1–E10); its parts are on their way to
 * the gateways when this returns. A command id that ran before gets its refund as it is now. Errors: not_found,
 * invalid_slot_ids, slots_not_captured, nothing_to_refund, idempotency_key_reused.
 */
export const openRefund = rpc('rpc.ledger.refunds.open.v1', {
  repeatable: true,
  request: RefundRequest,
  response: RefundView,
});

/** Returns a refund as it is now; errors: not_found. */
export const findRefund = rpc('rpc.ledger.refunds.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid, refund_id: Uuid }),
  response: RefundView,
});

/** Published whenever a field of RefundView has changed; the group's id is the last token. */
export const refundProgressed = message('evt.ledger.refund.progressed.v1', RefundView);
