import { defineMachine } from '@gp/primitives';

/** One try to place a hold at the gateway, as far as the ledger knows. Holds belong to authorizations, not to intents. */
export const authorizationMachine = defineMachine({
  name: 'authorization',
  initial: 'started',
  triggers: ['time_out', 'authorise', 'decline', 'miss', 'lapse', 'void', 'reverse'],
  table: {
    started: {
      time_out: 'unknown',
      authorise: 'authorised',
      decline: 'declined',
      miss: 'absent',
      lapse: 'cancelled',
      void: 'voided',
    },
    unknown: {
      authorise: 'authorised',
      decline: 'declined',
      miss: 'absent',
      lapse: 'cancelled',
      void: 'voided',
    },
    // In an embedded form the payer may try another card on the same payment.
    declined: { authorise: 'authorised', miss: 'absent', lapse: 'cancelled', void: 'voided' },
    // Absence is a conclusion; a hold that is reported later still counts.
    absent: { authorise: 'authorised' },
    // A charge that the scheme took back leaves no hold either.
    authorised: { lapse: 'cancelled', void: 'voided', reverse: 'cancelled' },
    cancelled: {},
    voided: {},
  },
});

export type AuthorizationState = (typeof authorizationMachine)['initial'];
export type AuthorizationTrigger = (typeof authorizationMachine)['triggers'][number];
