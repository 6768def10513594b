import { defineMachine } from '@gp/primitives';
import type { BookStatus } from './payment.ts';

export const TRIGGERS = [
  'authorise',
  'decline',
  'capture',
  'void',
  'expire',
  'refund_part',
  'refund_rest',
  'reverse_capture',
  'reverse_refund',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** The states of a payment in the books. A declined one may be tried again with another card. */
export const paymentMachine = defineMachine<BookStatus, Trigger>({
  name: 'payment',
  initial: 'created',
  triggers: TRIGGERS,
  table: {
    created: { authorise: 'authorised', decline: 'declined', void: 'voided' },
    declined: { authorise: 'authorised', decline: 'declined', void: 'voided' },
    authorised: { capture: 'captured', void: 'voided', expire: 'expired' },
    captured: { refund_part: 'captured', refund_rest: 'refunded', reverse_capture: 'declined' },
    refunded: { reverse_refund: 'captured' },
    voided: {},
    expired: {},
  },
});
