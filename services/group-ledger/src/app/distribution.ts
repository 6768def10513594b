import type { CreateCommand } from './create-groups.ts';
import type { Distribution } from '../domain/index.ts';

/** The distribution as the domain takes it. */
export function distributionOf(distribution: CreateCommand['distribution'], unitMinor: bigint): Distribution {
  return distribution.type === 'equally'
    ? { type: 'equally', numberOfSlots: distribution.number_of_slots, unitMinor }
    : { type: 'custom', amountsMinor: distribution.slots.map((slot) => BigInt(slot.amount_minor)) };
}
