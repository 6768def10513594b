import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, Mode, OneOf, Uuid } from '../common.ts';
import type { StreamContract } from '../contract.ts';

export const EVENT_TYPES = [
  'payment_intent.preauthorised',
  'payment_intent.captured',
  'payment_intent.refunded',
  'payment_intent.failed',
  'group_payment.partially_paid',
  'group_payment.paid',
  'group_payment.partially_refunded',
  'group_payment.refunded',
  'payment_intent.released',
  'group_payment.expired',
  'group_payment.cancelled',
  'group_payment.capture_failed',
  'group_payment.refund_failed',
  'payment_intent.disputed',
  'payment_intent.dispute_closed',
  'group_payment.updated',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A fact that merchants are notified of; `data` is the webhook body's `data` exactly as delivered (Q7). */
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

/** A public event for consumers: its type may be one of a newer release. */
export const HeardEvent = Type.Object({
  ...PublicEvent.properties,
  type: Type.String({ pattern: '^[a-z_]+\\.[a-z_]+$' }),
});
export type HeardEvent = Static<typeof HeardEvent>;

/** The subjects of events: the first word of their types. */
export type EventNoun = EventType extends `${infer Noun}.${string}` ? Noun : never;
export const EVENT_NOUNS = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0] as EventNoun))];

/** Returns the subject of a public event: `evt.ledger.<noun>.<verb>.v1.<group id>`. */
export function publicEventSubject(type: EventType, groupId: string): string {
  return `evt.ledger.${type}.v1.${groupId}`;
}

/**
 * Every public event, also of a type that only a newer ledger knows: each noun of `EVENT_TYPES` has a filter, so
 * that every declared type is delivered.
 */
export const publicEvents: StreamContract<HeardEvent> = {
  kind: 'message',
  stream: 'EVENTS',
  filters: EVENT_NOUNS.map((noun) => `evt.ledger.${noun}.*.v1.*`),
  payload: HeardEvent,
};

/** The events after which a person of the merchant has to do something: none of them mends itself. */
export const TROUBLE_EVENT_TYPES = [
  'group_payment.capture_failed',
  'group_payment.refund_failed',
  'payment_intent.disputed',
] as const satisfies readonly EventType[];
export type TroubleEventType = (typeof TROUBLE_EVENT_TYPES)[number];

/** The events of one type alone, so that who waits for a rare one is not sent the others. */
export function eventsOfType(type: EventType): StreamContract<HeardEvent> {
  return { kind: 'message', stream: 'EVENTS', filters: [publicEventSubject(type, '*')], payload: HeardEvent };
}

/** The events that a mail to a payer follows from, and the one that moves the end of a group. */
export const MAILED_EVENT_TYPES = [
  'payment_intent.preauthorised',
  'payment_intent.captured',
  'payment_intent.released',
  'payment_intent.refunded',
  'group_payment.updated',
] as const satisfies readonly EventType[];

/** The events of `MAILED_EVENT_TYPES`. */
export const mailedEvents: StreamContract<HeardEvent> = {
  kind: 'message',
  stream: 'EVENTS',
  filters: MAILED_EVENT_TYPES.map((type) => publicEventSubject(type, '*')),
  payload: HeardEvent,
};
