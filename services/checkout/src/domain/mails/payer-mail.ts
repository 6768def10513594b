import type { MAILED_EVENT_TYPES } from '@gp/contracts';

export type MailKind =
  | 'held'
  | 'charged'
  | 'released'
  | 'refunded'
  | 'reminder'
  /** Sent at the wish of the group's organiser, to payers whose money is not held. */
  | 'organiser_reminder';

/** The state of a payment as pages and mails show it to its payer. */
export type Fate =
  | 'unfinished'
  | 'pending'
  | 'held'
  | 'charged'
  | 'capture_failed'
  | 'released'
  | 'part_refunded'
  | 'refunded';

type PaymentEvent = Exclude<(typeof MAILED_EVENT_TYPES)[number], 'group_payment.updated'>;

/** The mails that an event of a payment causes. */
export const MAILS_OF: Readonly<Record<PaymentEvent, readonly MailKind[]>> = {
  'payment_intent.preauthorised': ['held', 'reminder'],
  'payment_intent.captured': ['charged'],
  'payment_intent.released': ['released'],
  'payment_intent.refunded': ['refunded'],
};

/** Returns true for the event of a payment that causes mails. */
export const causesMails = (type: string): type is PaymentEvent => Object.hasOwn(MAILS_OF, type);

/** Why a mail is not sent. */
export type SkipReason =
  /** The merchant's setting is off, or this installation mails no payers of the mode. */
  | 'off'
  /** The payer has unsubscribed from mails about this merchant. */
  | 'unsubscribed'
  /** The ledger erased the address, or no longer knows the payment. */
  | 'erased'
  /** Another mail, or none, says what is true by now. */
  | 'overtaken'
  /** The address, or the merchant's test mode, has had as many mails as it may. */
  | 'limited';
