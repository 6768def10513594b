import type { SlotState } from '@gp/contracts';

/** A share of the bill as every payer may see it. */
export type Slot = {
  readonly id: string;
  /** Its place in the group, from 1: what people call it. */
  readonly number: number;
  readonly amount: bigint;
  readonly state: SlotState;
  /** Until when the one who is paying it has it reserved, epoch ms; null when nobody is, or that is not told. */
  readonly heldUntil: number | null;
};

/** What a share looks like to the payer in front of this page. */
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

export const lookOf = (slot: Slot): Look => looks[slot.state];

/** Money that somebody has promised or paid: what the progress of the group counts. */
export const isSecured = (slot: Slot): boolean => slot.state === 'preauthorised' || slot.state === 'captured';
