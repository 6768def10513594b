import Type, { type Static } from 'typebox';
import { batchRpc, message, rpc } from './contract.ts';
import {
  CommandIdentity,
  CurrencyCode,
  Failure,
  Instant,
  Metadata,
  Minor,
  Mode,
  Nullable,
  OneOf,
  PspCode,
  Scope,
  Uuid,
} from './common.ts';

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

export const GroupView = Type.Object({
  id: Uuid,
  ...Scope,
  group_name: Type.String(),
  merchant_order_id: Type.String(),
  total_minor: Minor,
  currency: CurrencyCode,
  expires_at: Instant,
  state: GroupState,
  metadata: Metadata,
  /** Unguessable token of the hosted page (Q25); the edge builds `checkout_url` from it. */
  page_token: Type.String({ minLength: 22 }),
  created_at: Instant,
  updated_at: Instant,
});
export type GroupView = Static<typeof GroupView>;

export const SlotView = Type.Object({
  id: Uuid,
  sequence_no: Type.Integer({ minimum: 1, maximum: 30 }),
  assigned_customer_id: Nullable(Uuid),
  amount_minor: Minor,
  state: SlotState,
  reserved_until: Nullable(Instant),
  metadata: Metadata,
  created_at: Instant,
  updated_at: Instant,
});
export type SlotView = Static<typeof SlotView>;

export const GroupWithSlots = Type.Object({ group: GroupView, slots: Type.Array(SlotView) });
export type GroupWithSlots = Static<typeof GroupWithSlots>;

export const IntentView = Type.Object({
  id: Uuid,
  group_id: Uuid,
  ...Scope,
  customer_id: Uuid,
  psp_code: PspCode,
  credential_version: Type.Integer({ minimum: 1 }),
  amount_minor: Minor,
  currency: CurrencyCode,
  slot_ids: Type.Array(Uuid),
  state: IntentState,
  /** True while the gateway's answer is not known (R5). */
  unknown: Type.Boolean(),
  failure: Nullable(Failure),
});
export type IntentView = Static<typeof IntentView>;

/** One try to place a hold; every later message about the hold names it (R3). */
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
  }),
  Type.Object({
    type: Type.Literal('custom'),
    slots: Type.Array(Type.Object({ amount_minor: Minor, metadata: Metadata }), {
      minItems: 1,
      maxItems: 30,
    }),
  }),
]);

/** Creates a group; errors: validation_error (expiry, sum, split), idempotency_key_reused. */
export const createGroup = batchRpc('rpc.ledger.groups.create.v1', {
  repeatable: true,
  command: Type.Object({
    ...CommandIdentity,
    ...Scope,
    group_name: Type.String({ minLength: 1, maxLength: 32 }),
    total_minor: Minor,
    currency: CurrencyCode,
    expires_at: Instant,
    metadata: Metadata,
    distribution: Distribution,
  }),
  response: Type.Object({ ...GroupWithSlots.properties, replayed: Type.Boolean() }),
});

export const findGroup = rpc('rpc.ledger.groups.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid }),
  response: GroupWithSlots,
});

export const findGroupByPageToken = rpc('rpc.ledger.groups.find-by-page-token.v1', {
  repeatable: true,
  request: Type.Object({ page_token: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: GroupWithSlots,
});

export const listGroups = rpc('rpc.ledger.groups.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Type.Integer({ minimum: 0 }),
    state: Type.Optional(GroupState),
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
  }),
  response: Type.Object({ groups: Type.Array(GroupView), total: Type.Integer() }),
});

/** Cancels a group that is still collecting (Q2); errors: not_found, group_not_payable. */
export const cancelGroup = rpc('rpc.ledger.groups.cancel.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    actor: Type.String({ maxLength: 120 }),
  }),
  response: GroupWithSlots,
});

/**
 * Takes slots for a payer (A1–A5, A9): all or nothing under the group's lock, account frozen on the intent.
 * Errors: not_found, invalid_slot_ids, no_payable_slots, group_expired, group_not_payable, no_active_gateway,
 * idempotency_key_reused.
 */
export const reserveSlots = rpc('rpc.ledger.slots.reserve.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    customer_email: Type.String({ maxLength: 320 }),
    customer_name: Type.Optional(Type.String({ maxLength: 100 })),
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
  }),
  response: Type.Object({
    intent: IntentView,
    /** The try the gateway prepares now; on gateway_b a try begins at confirm, so there is none yet. */
    attempt: Nullable(AttemptView),
    reserved_until: Instant,
    merchant_order_id: Type.String(),
    group_name: Type.String(),
    /** `sandbox_fault` of the group's or slot's metadata, test mode only. */
    sandbox_fault: Nullable(Type.String()),
    replayed: Type.Boolean(),
  }),
});

/** Gives the slots of an intent back because the gateway could not prepare it; repeatable. */
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
 * Opens a try to authorise a server-confirmed intent (gateway_b). `begun` carries the new attempt; `held` means
 * the hold exists already (Q13); `in_flight` another try is running; `unknown` its answer is not known (B1).
 * Errors: not_found, confirm_not_supported, group_expired, group_not_payable, slot_no_longer_available,
 * too_many_declines.
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
 * What a gateway said about one operation. `operation_id` is the id of the ledger's own row for it: the
 * authorise attempt, the capture try, the void try or the refund line's try.
 *
 * status by operation:
 * authorise: authorised | authenticating | declined | unknown | absent | lapsed
 * capture:   captured | retryable | unknown | failed | lapsed
 * void:      voided | absent | retryable | unknown | captured | spared
 * refund:    refunded | retryable | unknown | failed
 * dispute:   disputed | undisputed (external only)
 * `unknown` is never a failure (R5). `retryable` had definitely no effect. `absent` is a positive "no such
 * payment" after the settle window. `lapsed`: the hold, or the payment that might have become one, ended at the
 * gateway. `spared` answers a void that asked to leave an existing hold alone: it carries the hold's amount and
 * `capture_before`. With source `external` or `callback` and no `operation_id`, capture/refund report what
 * somebody did in the gateway's own books: captured, refunded, or `failed` when an earlier success was reversed.
 */
export const Outcome = Type.Object({
  message_id: Uuid,
  ...Scope,
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Nullable(Uuid),
  operation: OneOf(['authorise', 'capture', 'void', 'refund', 'dispute']),
  operation_id: Nullable(Uuid),
  source: OneOf(['response', 'callback', 'query', 'external']),
  psp_code: PspCode,
  psp_reference: Nullable(Type.String({ maxLength: 120 })),
  status: OneOf([
    'authorised',
    'authenticating',
    'declined',
    'absent',
    'lapsed',
    'captured',
    'voided',
    'refunded',
    'disputed',
    'undisputed',
    'spared',
    'retryable',
    'unknown',
    'failed',
  ]),
  amount_minor: Nullable(Minor),
  currency: Nullable(CurrencyCode),
  /** Until when the hold can be captured; with `authorised` and `spared`, null where the gateway does not say. */
  capture_before: Nullable(Instant),
  failure: Nullable(Failure),
  observed_at: Instant,
});
export type Outcome = Static<typeof Outcome>;

const OutcomeVerdict = Type.Object({
  verdict: OneOf(['applied', 'ignored']),
  reason: Nullable(Type.String()),
  intent: IntentView,
  group_state: GroupState,
});

/** The fast path of an outcome: same `message_id` as its durable twin, whichever comes second is a no-op. */
export const recordOutcome = rpc('rpc.ledger.outcomes.record.v1', {
  repeatable: true,
  request: Outcome,
  response: OutcomeVerdict,
});
export const outcomeRecorded = message('cmd.ledger.outcome.record.v1', Outcome);

/** Opens a refund of every captured intent, or of those covering `slot_ids` (E1–E10). */
export const openRefund = rpc('rpc.ledger.refunds.open.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
    source: OneOf(['api', 'dashboard']),
  }),
  response: Type.Object({
    refund_id: Uuid,
    lines: Type.Array(
      Type.Object({
        operation_id: Uuid,
        intent_id: Uuid,
        psp_code: PspCode,
        slot_ids: Type.Array(Uuid),
        amount_minor: Minor,
      }),
    ),
    refused: Type.Array(
      Type.Object({ intent_id: Uuid, psp_code: PspCode, slot_ids: Type.Array(Uuid), error: Type.String() }),
    ),
    group_state: GroupState,
  }),
});

export const EVENT_TYPES = [
  'payment_intent.preauthorised',
  'payment_intent.captured',
  'payment_intent.refunded',
  'payment_intent.failed',
  'group_payment.partially_paid',
  'group_payment.paid',
  'group_payment.partially_refunded',
  'group_payment.refunded',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A fact merchants hear of; `data` is the webhook body's `data` exactly as delivered (Q7). */
export const PublicEvent = Type.Object({
  id: Uuid,
  type: OneOf(EVENT_TYPES),
  created: Instant,
  merchant_id: Type.String(),
  mode: Mode,
  group_id: Uuid,
  sequence: Type.Integer({ minimum: 1 }),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type PublicEvent = Static<typeof PublicEvent>;

/** Subject of a public event: `evt.ledger.<noun>.<verb>.v1.<group id>`. */
export function publicEventSubject(type: EventType, groupId: string): string {
  return `evt.ledger.${type}.v1.${groupId}`;
}
export const PUBLIC_EVENT_FILTERS = ['evt.ledger.payment_intent.*.v1.*', 'evt.ledger.group_payment.*.v1.*'];
