import type { Group, Slot } from '../../domain/index.ts';
import { isoOrNull } from './instants.ts';
import { authorizationRow, intentRow } from './intent.row.ts';
import { captureRow, refundRow, voidRow } from './operation.row.ts';

/** The rows that differ between two versions of a group: what did not change is the very same object in both. */
export function changedRows(before: Group, after: Group) {
  return {
    slots: added(before.slots, after.slots).map(changedColumns),
    intents: added(before.intents, after.intents).map(intentRow),
    attempts: changedAuthorizations(before, after),
    orders: [
      ...added(before.captures, after.captures).map(captureRow),
      ...added(before.voids, after.voids).map(voidRow),
      ...added(before.refundLines, after.refundLines).map(refundRow),
    ],
  };
}

function changedAuthorizations(before: Group, after: Group) {
  const known = before.intents.flatMap((intent) => intent.authorizations);
  return after.intents.flatMap((intent) =>
    added(known, intent.authorizations).map((row) => authorizationRow(intent.id, row)),
  );
}

function added<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before);
  return after.filter((row) => !known.has(row));
}

/** A slot's place, amount and id never change. */
function changedColumns(slot: Slot) {
  return {
    sequence_no: slot.sequenceNo,
    state: slot.state,
    assigned_customer_id: slot.assignedCustomerId,
    reserved_until: isoOrNull(slot.reservedUntilMs),
    intent_id: slot.intentId,
  };
}
