import type { PspCode } from '@gp/gateway-registry';
import type { EventNoun, EventType, Failure } from '@gp/contracts';
import type { GroupState } from './group/group.machine.ts';
import type { IntentState } from './intent/intent.machine.ts';

/** Which step of a payment a failure belongs to. */
export type FailureStage = 'authorise' | 'hold' | 'capture';

export type IntentEventData = {
  readonly paymentIntentId: string;
  readonly groupPaymentId: string;
  readonly state: IntentState;
  readonly pspCode: PspCode;
  readonly amountMinor: bigint;
  readonly tipMinor: bigint;
  readonly currency: string;
  readonly slotIds: readonly string[];
  readonly isTestMode: boolean;
  readonly sequence: number;
  readonly occurredAtMs: number;
};

export type GroupEventData = {
  readonly groupPaymentId: string;
  readonly state: GroupState;
  readonly sequence: number;
  readonly isTestMode: boolean;
  readonly amountCapturedMinor: bigint;
  readonly amountRefundedMinor: bigint;
};

type Event<Noun extends EventNoun, T extends EventType & `${Noun}.${string}`, D> = {
  readonly id: string;
  /** The object of the event, and the first word of its type. */
  readonly noun: Noun;
  readonly type: T;
  readonly sequence: number;
  /** Version of the group the event belongs to: one event per type and version. */
  readonly groupVersion: number;
  readonly occurredAtMs: number;
  readonly data: D;
};

/** Types of events about a payment whose data has no field of its own. */
export type PlainIntentEventType =
  | 'payment_intent.preauthorised'
  | 'payment_intent.captured'
  | 'payment_intent.released'
  | 'payment_intent.disputed'
  | 'payment_intent.dispute_closed';

export type IntentEvent =
  | Event<'payment_intent', PlainIntentEventType, IntentEventData>
  | Event<'payment_intent', 'payment_intent.refunded', IntentEventData & { readonly refundId: string }>
  | Event<
      'payment_intent',
      'payment_intent.failed',
      IntentEventData & { readonly failure: Failure & { readonly stage: FailureStage } }
    >;

export type GroupEvent = Event<
  'group_payment',
  | 'group_payment.partially_paid'
  | 'group_payment.paid'
  | 'group_payment.partially_refunded'
  | 'group_payment.refunded'
  | 'group_payment.expired'
  | 'group_payment.cancelled'
  | 'group_payment.capture_failed'
  | 'group_payment.refund_failed'
  | 'group_payment.updated',
  GroupEventData
>;

/** A fact that is sent to the merchant, in the order of `sequence`. */
export type DomainEvent = IntentEvent | GroupEvent;
