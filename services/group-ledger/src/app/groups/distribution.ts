import type { CommandOf, createGroup as contract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Metadata } from '../../db/group/group.row.ts';
import type { Distribution } from '../../domain/index.ts';

type Given = CommandOf<typeof contract>['distribution'];

/** The distribution as the domain takes it. */
export function toDistribution(distribution: Given, unitMinor: bigint): Distribution {
  return distribution.type === 'equally'
    ? { type: 'equally', numberOfSlots: distribution.number_of_slots, unitMinor }
    : { type: 'custom', amountsMinor: distribution.slots.map((slot) => BigInt(slot.amount_minor)) };
}

/**
 * Returns the merchant's texts of the slots, in their order. Throws validation_error for another number of them (Q22).
 */
export function readSlotMetadata(distribution: Given): (index: number) => Metadata {
  const given =
    distribution.type === 'equally'
      ? distribution.slot_metadata
      : distribution.slots.map((slot) => slot.metadata);
  if (distribution.type === 'equally' && given && given.length !== distribution.number_of_slots) {
    const reason = 'must have one entry for each slot';
    throw new AppError('validation_error', {
      message: `Validation error: distribution.slot_metadata: ${reason}`,
      param: 'distribution.slot_metadata',
      details: [{ param: 'distribution.slot_metadata', reason }],
    });
  }
  return (index) => orNull(given?.[index]);
}

/** Empty metadata is the common case and not worth its bytes. */
export function orNull(metadata: Record<string, unknown> | undefined): Metadata {
  return metadata && Object.keys(metadata).length > 0 ? metadata : null;
}
