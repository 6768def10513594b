import { defineMachine } from '@gp/primitives';

/** A slot follows the payment intent that has it; all slots of one intent move together. */
export const slotMachine = defineMachine({
  name: 'payment slot',
  initial: 'unassigned',
  triggers: [
    'reserve',
    'release',
    'hold',
    'lapse',
    'capture',
    'fail_capture',
    'stop_capture',
    'retry_capture',
    'reverse_capture',
    'refund',
    'reverse_refund',
    'expire',
    'cancel',
  ],
  table: {
    // A hold may arrive after its slot was released; a slot that is still free is accepted again.
    unassigned: { reserve: 'assigned', hold: 'preauthorised', expire: 'expired', cancel: 'cancelled' },
    assigned: { release: 'unassigned', hold: 'preauthorised', expire: 'expired', cancel: 'cancelled' },
    preauthorised: {
      capture: 'captured',
      lapse: 'unassigned',
      fail_capture: 'cancelled',
      stop_capture: 'cancelled',
      expire: 'expired',
      cancel: 'cancelled',
    },
    captured: { refund: 'refunded', reverse_capture: 'cancelled' },
    refunded: { reverse_refund: 'captured' },
    // Cancelled by a failed capture: an operator may retry it, reconciliation may find that it succeeded.
    cancelled: { retry_capture: 'preauthorised', capture: 'captured' },
    // The merchant captured at the gateway a hold that was to be released.
    expired: { capture: 'captured' },
  },
});

export type SlotState = (typeof slotMachine)['initial'];
export type SlotTrigger = (typeof slotMachine)['triggers'][number];
