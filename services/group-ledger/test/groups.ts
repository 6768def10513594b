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

/** A group of three slots of 10.00 that was paid in full, each payer with a tip of 2.00; returns its id. */
export async function tippedGroup(ledger: Ledger): Promise<string> {
  const { group, slots } = await ledger.newGroup({ max_tip_minor: '200' });
  for (const { id, sequence_no } of slots) {
    const request = reserveRequest(group.id, `tipper${sequence_no}@example.com`, [id], { tip: '2.00' });
    await ledger.record(authorised(await ledger.reserve(request)));
  }
  await answerAll(ledger, group.id, 'capture', 'captured');
  return group.id;
}

/** A payment that somebody starts for the first slot of a new group. */
export async function startPayment(
  ledger: Ledger,
  email: string,
  o: Partial<CreateCommand> = {},
  customer_name?: string,
) {
  const { group, slots } = await ledger.newGroup(o);
  const { merchant_id, mode } = group;
  const named = { merchant_id, mode, ...(customer_name !== undefined && { customer_name }) };
  const reserved = await ledger.reserve(reserveRequest(group.id, email, [slots[0]!.id], named));
  return { id: group.id, slots, reserved, customerId: reserved.intent.customer_id };
}

/** Holds that payment, lets others pay the other slots, and captures all. */
export async function completePayment(
  ledger: Ledger,
  { id, slots, reserved }: Awaited<ReturnType<typeof startPayment>>,
): Promise<void> {
  await ledger.record(authorised(reserved));
  for (const slot of slots.slice(1)) {
    const request = reserveRequest(id, `other${slot.sequence_no}@example.com`, [slot.id]);
    await ledger.record(authorised(await ledger.reserve(request)));
  }
  await answerAll(ledger, id, 'capture', 'captured');
}
