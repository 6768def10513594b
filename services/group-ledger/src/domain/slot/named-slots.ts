import { describeSlots, type Refusal } from '../decision.ts';
import { findSlot, type Group } from '../group/group.ts';

const STRANGER = { param: 'slot_ids', reason: 'is no slot of this group payment' };

/** Returns why a request cannot name these slots: it names none, one twice, or some of another group, which the details list. */
export function findNamingFault(group: Group, ids: readonly string[]): Refusal | undefined {
  const strangers = ids.filter((id) => !findSlot(group, id));
  if (strangers.length > 0) return { code: 'invalid_slot_ids', details: describeSlots(strangers, STRANGER) };
  const isSet = ids.length > 0 && new Set(ids).size === ids.length;
  return isSet ? undefined : { code: 'invalid_slot_ids' };
}
