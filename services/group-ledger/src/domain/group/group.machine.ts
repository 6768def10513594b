import { defineMachine } from '@gp/primitives';

/**
 * A group's state is never set: `derive` finds it, and its trigger here is the fact derive found. The table
 * repeats which finding may follow which, so a wrong derivation cannot be stored.
 */
export const groupMachine = defineMachine({
  name: 'group payment',
  initial: 'open',
  triggers: [
    'none_held',
    'some_held',
    'all_held',
    'captures_started',
    'some_captured',
    'all_captured',
    'captures_failed',
    'refund_pending',
    'all_refunded',
    'some_refunded',
    'none_refunded',
    'expire',
    'cancel',
  ],
  table: {
    // Accepted as a filter of the list, never produced by this version of the API (Q2).
    draft: {},
    open: {
      some_held: 'partially_preauthorised',
      all_held: 'preauthorised',
      expire: 'expired',
      cancel: 'cancelled',
    },
    partially_preauthorised: {
      none_held: 'open',
      all_held: 'preauthorised',
      // Time ran out where the creation allowed a capture of what is held.
      captures_started: 'capturing',
      some_captured: 'partially_paid',
      expire: 'expired',
      cancel: 'cancelled',
    },
    // A hold that expires before the first capture leads back down; one intent may hold every slot.
    preauthorised: {
      none_held: 'open',
      some_held: 'partially_preauthorised',
      captures_started: 'capturing',
      // Only where the merchant captured holds in the gateway's own dashboard before the group was complete.
      some_captured: 'partially_paid',
      all_captured: 'paid',
      expire: 'expired',
      cancel: 'cancelled',
    },
    capturing: {
      some_captured: 'partially_paid',
      all_captured: 'paid',
      captures_failed: 'capture_failed',
    },
    // The scheme may take a capture back later: the ways down from partially_paid and paid are such repairs.
    partially_paid: {
      captures_started: 'capturing',
      all_captured: 'paid',
      captures_failed: 'capture_failed',
      refund_pending: 'refunding',
    },
    paid: { some_captured: 'partially_paid', captures_failed: 'capture_failed', refund_pending: 'refunding' },
    capture_failed: {
      captures_started: 'capturing',
      some_captured: 'partially_paid',
      all_captured: 'paid',
    },
    refunding: {
      all_refunded: 'refunded',
      some_refunded: 'partially_refunded',
      none_refunded: 'refund_failed',
    },
    // A capture that succeeds after a refund of others, or a refund that bounces, leads back from refunded.
    partially_refunded: {
      refund_pending: 'refunding',
      all_refunded: 'refunded',
      none_refunded: 'refund_failed',
    },
    refunded: {
      refund_pending: 'refunding',
      some_refunded: 'partially_refunded',
      none_refunded: 'refund_failed',
    },
    refund_failed: { refund_pending: 'refunding', all_refunded: 'refunded' },
    expired: {},
    cancelled: {},
  },
});

export type GroupState = (typeof groupMachine)['initial'];
export type GroupTrigger = (typeof groupMachine)['triggers'][number];
