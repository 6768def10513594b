import type { GroupState, SlotState } from '../bootstrap.ts';
import type { MessageKey } from '../i18n/en.ts';

const sentences: Readonly<Record<SlotState, MessageKey>> = {
  unassigned: 'mineHeld',
  assigned: 'mineHeld',
  preauthorised: 'mineHeld',
  captured: 'minePaid',
  refunded: 'mineRefunded',
  // Whatever the expiry captured of others (Q90).
  expired: 'mineReleased',
  cancelled: 'mineFailed',
};

/** Returns the sentence about a share of this payer, in this state, in a group that takes no more payments. */
export function findOwnOutcome(slot: SlotState, group: GroupState): MessageKey {
  return sentences[group === 'cancelled' && slot === group ? 'expired' : slot];
}
