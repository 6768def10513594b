import type { CommandOf, createGroup as contract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Metadata, SlotTexts } from '../../db/group/group.row.ts';
import type { Distribution } from '../../domain/index.ts';

type Given = CommandOf<typeof contract>['distribution'];

/** The distribution as the domain takes it. */
export function toDistribution(distribution: Given, unitMinor: bigint): Distribution {
  return distribution.type === 'equally'
    ? { type: 'equally', numberOfSlots: distribution.number_of_slots, unitMinor }
    : { type: 'custom', amountsMinor: distribution.slots.map((slot) => BigInt(slot.amount_minor)) };
}

/**
 * Returns the merchant's texts of the slots, in their order. Throws validation_error for another number of them (Q22, Q71).
 */
export function readSlotTexts(distribution: Given): (index: number) => SlotTexts {
  if (distribution.type === 'custom') {
    const { slots } = distribution;
    return (index) => ({ metadata: orNull(slots[index]?.metadata), label: slots[index]?.label ?? null });
  }
  const { number_of_slots: count, slot_metadata: metadata, slot_labels: labels } = distribution;
  refuseOtherNumber('distribution.slot_metadata', metadata, count);
  refuseOtherNumber('distribution.slot_labels', labels, count);
  return (index) => ({ metadata: orNull(metadata?.[index]), label: labels?.[index] ?? null });
}

function refuseOtherNumber(param: string, given: readonly unknown[] | undefined, count: number): void {
  if (!given || given.length === count) return;
  const reason = 'must have one entry for each slot';
  throw new AppError('validation_error', {
    message: `Validation error: ${param}: ${reason}`,
    param,
    details: [{ param, reason }],
  });
}

/** Empty metadata is the common case and not worth its bytes. */
export function orNull(metadata: Record<string, unknown> | undefined): Metadata {
  return metadata && Object.keys(metadata).length > 0 ? metadata : null;
}
