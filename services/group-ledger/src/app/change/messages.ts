import {
  changeTimers,
  encodePaymentRef,
  gatewayOperation,
  publicEventSubject,
  type GatewayOperation as OperationMessage,
  type PublicEvent,
  type RefundView,
  type TimerChange,
} from '@gp/contracts';
import { findCurrency, formatMinor } from '@gp/money';
import type { OutboxMessage } from '@gp/outbox';
import type {
  DomainEvent,
  GroupEffect,
  GatewayOperation,
  Group,
  GroupEvent,
  IntentEvent,
} from '../../domain/index.ts';
import type { GroupJson } from '../../db/group/group.row.ts';
import { changedRefunds, refundSubject } from '../refunds/refund-view.ts';
import { timerInstructions } from '../timers/timer-instructions.ts';

/** Fields that all messages of one decision share. */
export type MessageContext = {
  readonly group: Group;
  /** The merchant's own names for the group, as they are after the decision. */
  readonly names: Pick<GroupJson, 'merchant_order_id' | 'client_reference' | 'metadata' | 'group_name'>;
  readonly newId: () => string;
  readonly sandboxFault: (intentId: string) => string | null;
  /** Finds the trace of a payment; the running one where a message belongs to no single payment. */
  readonly findTrace: (intentId: string | null) => string | undefined;
};

/** Every message that a decision sends, in the order in which it must be published. */
export function buildMessages(
  context: MessageContext,
  before: Group,
  events: readonly DomainEvent[],
  effects: readonly GroupEffect[],
): OutboxMessage[] {
  const instructions = timerInstructions(context.group, effects);
  const timers: TimerChange = { instructions };
  return [
    ...events.map((event) => eventMessage(context, event)),
    ...changedRefunds(before, context.group).map((view) => refundMessage(context, view)),
    ...effects.flatMap((effect) => (effect.kind === 'operation' ? [operationMessage(context, effect)] : [])),
    ...(instructions.length > 0 ? [message(context, changeTimers.subject, timers, null)] : []),
  ];
}

function operationMessage(context: MessageContext, effect: GatewayOperation): OutboxMessage {
  const { group } = context;
  const payload: OperationMessage = {
    ...encodePaymentRef({
      ...effect,
      merchantId: group.merchantId,
      mode: group.mode,
      groupId: group.id,
      attemptId: effect.authorizationId,
      currency: group.currency,
      sandboxFault: context.sandboxFault(effect.intentId),
    }),
    operation: effect.operation,
    operation_id: effect.operationId,
    psp_reference: effect.pspReference,
    not_after: effect.notAfterMs === null ? null : iso(effect.notAfterMs),
    unless_authorised: effect.unlessAuthorised,
  };
  return message(
    context,
    gatewayOperation(effect.pspCode, effect.operation).subject,
    payload,
    effect.intentId,
  );
}

function refundMessage(context: MessageContext, view: RefundView): OutboxMessage {
  return message(context, refundSubject(view.group_id), view, null);
}

function eventMessage(context: MessageContext, event: DomainEvent): OutboxMessage {
  const { group } = context;
  const payload: PublicEvent = {
    id: event.id,
    type: event.type,
    created: iso(event.occurredAtMs),
    merchant_id: group.merchantId,
    mode: group.mode,
    group_id: group.id,
    sequence: event.sequence,
    data: publicData(context, event),
  };
  const intentId = event.noun === 'payment_intent' ? event.data.paymentIntentId : null;
  return { ...message(context, publicEventSubject(event.type, group.id), payload, intentId), id: event.id };
}

/** `data` of the webhook body: no e-mail, no card, no name of ours (Q7). */
function publicData({ group, names }: MessageContext, event: DomainEvent): Record<string, unknown> {
  const data = event.noun === 'payment_intent' ? intentData(group, event) : groupData(group, names, event);
  const { merchant_order_id, client_reference, metadata } = names;
  return { ...data, merchant_order_id, client_reference, metadata: metadata ?? {} };
}

function groupData(
  group: Group,
  { group_name }: MessageContext['names'],
  event: GroupEvent,
): Record<string, unknown> {
  const expires_at = iso(group.expiresAtMs);
  return {
    ...commonData(group, event),
    ...(event.type === 'group_payment.updated' && { group_name, expires_at }),
    currency: group.currency,
    amount_captured: units(group, event.data.amountCapturedMinor),
    amount_refunded: units(group, event.data.amountRefundedMinor),
  };
}

function intentData(group: Group, event: IntentEvent): Record<string, unknown> {
  const { paymentIntentId, pspCode, amountMinor, tipMinor, currency, slotIds } = event.data;
  return {
    payment_intent_id: paymentIntentId,
    ...commonData(group, event),
    psp_code: pspCode,
    amount: units(group, amountMinor),
    ...(tipMinor > 0n && { tip: units(group, tipMinor) }),
    currency,
    slot_ids: slotIds,
    ...(event.type === 'payment_intent.failed' && { failure: event.data.failure }),
    ...(event.type === 'payment_intent.refunded' && { refund_id: event.data.refundId }),
  };
}

function commonData(group: Group, { data, occurredAtMs }: DomainEvent) {
  return {
    group_payment_id: group.id,
    state: data.state,
    is_test_mode: data.isTestMode,
    sequence: data.sequence,
    occurred_at: iso(occurredAtMs),
  };
}

/** Currency units as a JSON number: exact, as amounts stay far below the digits a double holds (G6). */
function units(group: Group, minor: bigint): number {
  const currency = findCurrency(group.currency);
  if (!currency) throw new Error(`group ${group.id} has no known currency`);
  return Number(formatMinor(minor, currency));
}

function message(
  context: MessageContext,
  subject: string,
  payload: unknown,
  intentId: string | null,
): OutboxMessage {
  const traceparent = context.findTrace(intentId);
  return {
    id: context.newId(),
    subject,
    groupKey: context.group.id,
    mode: context.group.mode,
    payload,
    ...(traceparent !== undefined && { traceparent }),
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
