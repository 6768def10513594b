import type { SlotState } from '@gp/contracts';
import type { Translate } from '../i18n/translate.ts';

/** A share of the bill as every payer may see it. */
export type Slot = {
  readonly id: string;
  /** Its place in the group, from 1, as the page shows it. */
  readonly number: number;
  readonly amount: bigint;
  /** The merchant's text beside the amount. */
  readonly label?: string | undefined;
  /** The name of the payer who holds or has paid it, with that payer's consent. */
  readonly name?: string | undefined;
  readonly state: SlotState;
  /** Until when the share is reserved, epoch ms; null when it is not reserved or the time is unknown. */
  readonly heldUntil: number | null;
};

/** How a share looks to the payer of this page. */
export type Look = 'free' | 'busy' | 'held' | 'paid' | 'refunded' | 'closed';

const looks: Readonly<Record<SlotState, Look>> = {
  unassigned: 'free',
  assigned: 'busy',
  preauthorised: 'held',
  captured: 'paid',
  refunded: 'refunded',
  expired: 'closed',
  cancelled: 'closed',
};

export const findLook = (slot: Slot): Look => looks[slot.state];

/** Returns true for money that a payer has on hold or has paid: the progress of the group counts it. */
export const isSecured = (slot: Slot): boolean => slot.state === 'preauthorised' || slot.state === 'captured';

/** Returns how a sentence names a share: its number, and its label, which keeps its own direction. */
export const nameShare = (t: Translate, { number, label }: Slot): string =>
  t('share', { n: number }) + (label ? ` (\u2068${label}\u2069)` : '');
