import { defineMachine } from '@gp/primitives';

/** One event on its way to one endpoint. `sending` is committed before the request leaves. */
export const deliveryMachine = defineMachine({
  name: 'delivery',
  initial: 'pending',
  triggers: [
    'claim',
    'lose_claim',
    'release',
    'acknowledge',
    'retry',
    'give_up',
    'disable',
    'delete',
    'recover',
    'resend',
    'remain_delivered',
  ],
  table: {
    pending: { claim: 'sending', disable: 'held', delete: 'cancelled', remain_delivered: 'delivered' },
    // A lost claim (its process died) is taken over by another one once its lease has ended.
    sending: {
      acknowledge: 'delivered',
      retry: 'pending',
      give_up: 'failed',
      release: 'pending',
      lose_claim: 'sending',
      disable: 'held',
      delete: 'cancelled',
      // A merchant had it sent again, for nothing: it was acknowledged before.
      remain_delivered: 'delivered',
    },
    held: { recover: 'pending', delete: 'cancelled' },
    delivered: { resend: 'pending' },
    failed: { resend: 'pending', recover: 'pending' },
    cancelled: {},
  },
});

export type DeliveryStatus = (typeof deliveryMachine)['initial'];
