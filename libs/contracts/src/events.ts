import Type, { type Static } from 'typebox';
import { Instant, Mode, OneOf, Uuid } from './common.ts';

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
