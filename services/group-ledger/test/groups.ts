import { answerAll, authorised } from './gateway.ts';
import { reserveRequest, type Ledger } from './harness.ts';
import type { CreateCommand } from '../src/app/groups/create-groups.ts';

/** A group whose payers, one per slot, hold everything but what `except` leaves open. */
export async function heldGroup(ledger: Ledger, o: Partial<CreateCommand> & { except?: number } = {}) {
  const { except = 0, ...command } = o;
  const { group, slots } = await ledger.newGroup(command);
  const payers = [];
  for (const slot of slots.slice(0, slots.length - except)) {
    const reserved = await ledger.reserve(
      reserveRequest(group.id, `payer${slot.sequence_no}@example.com`, [slot.id]),
    );
    await ledger.record(authorised(reserved));
    payers.push(reserved);
  }
  return { id: group.id, slots, payers };
}

/** A group that was paid in full. */
export async function paidGroup(ledger: Ledger, o: Partial<CreateCommand> = {}) {
  const held = await heldGroup(ledger, o);
  await answerAll(ledger, held.id, 'capture', 'captured');
  return held;
}
