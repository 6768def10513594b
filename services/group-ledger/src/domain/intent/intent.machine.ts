import { defineMachine } from '@gp/primitives';

const table = {
  created: { begin: 'processing', fail: 'failed', void: 'void_pending' },
  processing: { hold: 'preauthorised', fail: 'failed', void: 'void_pending' },
  // A further confirm begins again; a hold that was thought lost may still arrive.
  failed: { begin: 'processing', hold: 'preauthorised', mirror_capture: 'captured' },
  preauthorised: {
    capture: 'capture_pending',
    lapse: 'failed',
    void: 'void_pending',
    mirror_capture: 'captured',
  },
  capture_pending: { confirm_capture: 'captured', fail_capture: 'capture_failed', void: 'void_pending' },
  capture_failed: { retry_capture: 'capture_pending', confirm_capture: 'captured' },
  captured: { refund: 'refund_pending', mirror_refund: 'refunded', reverse_capture: 'capture_failed' },
  refund_pending: { confirm_refund: 'refunded', fail_refund: 'captured' },
  refunded: { reverse_refund: 'captured' },
  // Withdrawn with the whole refund, and captured all the same: it is refunded with the others. Captured by the merchant
  // at the gateway when the group had ended: only a refund gives the money back.
  void_pending: { confirm_void: 'voided', confirm_capture: 'captured', mirror_capture: 'captured' },
  voided: {},
} as const;

/**
 * One payer's payment for one or more slots. `processing` and the `_pending` states are committed before the
 * gateway is called and may carry `unknown`: the call may have had its effect.
 */
export const intentMachine = defineMachine({
  name: 'payment intent',
  initial: 'created',
  triggers: [
    'begin',
    'hold',
    'fail',
    'lapse',
    'capture',
    'confirm_capture',
    'fail_capture',
    'retry_capture',
    'reverse_capture',
    'mirror_capture',
    'refund',
    'confirm_refund',
    'fail_refund',
    'reverse_refund',
    'mirror_refund',
    'void',
    'confirm_void',
  ],
  table,
});

export type IntentState = (typeof intentMachine)['initial'];
export type IntentTrigger = (typeof intentMachine)['triggers'][number];

/** The states to which a trigger leads. */
export type IntentAfter<T extends IntentTrigger> = T extends unknown
  ? {
      [From in IntentState]: (typeof table)[From] extends { readonly [K in T]: infer To } ? To : never;
    }[IntentState]
  : never;
