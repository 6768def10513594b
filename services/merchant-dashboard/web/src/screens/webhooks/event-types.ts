import type { EventType } from '../../../../src/http/api.ts';

/** The meaning of each event; a new type of the platform that this list lacks is a type error. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'payment_intent.preauthorised': 'money of a participant is held',
  'payment_intent.captured': 'held money was captured',
  'payment_intent.refunded': 'captured money was given back',
  'payment_intent.failed': 'a payment, a hold or a capture failed',
  'group_payment.partially_paid': 'some of the group’s payments are captured',
  'group_payment.paid': 'all of the group’s payments are captured',
  'group_payment.partially_refunded': 'some of the group’s money was given back',
  'group_payment.refunded': 'all of the group’s money was given back',
  'payment_intent.released': 'nothing of a payment is held any more; it was not charged',
  'group_payment.expired': 'the group ended before every slot was held',
  'group_payment.cancelled': 'the group was cancelled before any capture',
  'group_payment.capture_failed': 'every capture of the group failed for good',
  'payment_intent.disputed': 'a payer disputes a payment at the gateway',
  'payment_intent.dispute_closed': 'a dispute ended without a loss; the payment can be refunded again',
  'group_payment.updated': 'the name, metadata or expiry of the group was changed',
  'group_payment.refund_failed': 'a refund of the group gave no money back',
};

export const EVENT_TYPES = Object.keys(EVENT_MEANINGS) as readonly EventType[];
