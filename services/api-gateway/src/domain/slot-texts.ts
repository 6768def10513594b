import type { publicApi } from '@gp/contracts';
import type { Fault } from './fault.ts';
import { metadataFaults } from './metadata.ts';

type Distribution = publicApi.CreateGroupPaymentRequest['distribution'];

/** Returns the faults of what a create says about its slots beside their amounts: one entry per slot, metadata that fits. */
export function slotTextFaults(distribution: Distribution): Fault[] {
  if (distribution.type === 'custom') {
    return distribution.slots.flatMap(({ metadata }, at) =>
      metadataFaults(`distribution.slots[${at}].metadata`, metadata),
    );
  }
  const { slot_metadata, slot_labels, number_of_slots: count } = distribution;
  const param = 'distribution.slot_metadata';
  const numberFault = findNumberFault(param, slot_metadata, count);
  return [
    ...(numberFault ??
      slot_metadata?.flatMap(({ metadata }, at) => metadataFaults(`${param}[${at}].metadata`, metadata)) ??
      []),
    ...(findNumberFault('distribution.slot_labels', slot_labels, count) ?? []),
  ];
}

function findNumberFault(
  param: string,
  given: readonly unknown[] | undefined,
  count: number,
): Fault[] | undefined {
  return given && given.length !== count
    ? [{ param, reason: `must have ${count} items, one per slot` }]
    : undefined;
}
