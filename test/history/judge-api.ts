import { findCurrency, parseMinor } from '@gp/money';
import type { Group } from '../support/api.ts';
import type { Contradiction } from './contradiction.ts';
import type { LedgerIntent, Views } from './views.ts';

/** The states of slots that a payment in this state gives its slots. */
const SLOT_STATE_OF: Readonly<Record<string, string>> = { captured: 'captured', refunded: 'refunded' };

/** Compares the API with the ledger: states, slots and who owns them, amounts. */
export function apiAgrees({ api, ledger }: Views): Contradiction[] {
  const groups = new Map(ledger.groups.map((group) => [group.id, group]));
  const intents = Map.groupBy(ledger.intents, ({ group_id }) => group_id);
  return api.flatMap((shown) => {
    const { id, state } = shown.group_payment;
    const kept = groups.get(id);
    if (!kept) return [`group ${id} is shown and not kept`];
    return [
      ...(kept.state === state ? [] : [`group ${id} is shown ${state} and kept ${kept.state}`]),
      ...(sumSlots(shown, () => true) === BigInt(kept.total_minor)
        ? []
        : [`the slots of ${id} miss its total`]),
      ...slotsAgree(shown, intents.get(id) ?? []),
    ];
  });
}

function slotsAgree(group: Group, intents: readonly LedgerIntent[]): Contradiction[] {
  return group.payment_slots.flatMap((slot) => {
    const owners = intents.filter(
      ({ state, slot_ids }) => state in SLOT_STATE_OF && slot_ids.includes(slot.id),
    );
    const [owner] = owners;
    if (owners.length > 1) return [`slot ${slot.id} was paid ${owners.length} times`];
    if (owner && SLOT_STATE_OF[owner.state] !== slot.state)
      return [`slot ${slot.id} is ${slot.state}, its payment ${owner.id} ${owner.state}`];
    if (!owner && (slot.state === 'captured' || slot.state === 'refunded'))
      return [`slot ${slot.id} is ${slot.state} and nobody paid it`];
    return [];
  });
}

/** The minor units of those slots of a group that are in these states. */
export function sumSlots(group: Group, wanted: (state: string) => boolean): bigint {
  const currency = findCurrency(group.group_payment.currency);
  if (!currency) throw new Error(`unknown currency ${group.group_payment.currency}`);
  return group.payment_slots
    .filter(({ state }) => wanted(state))
    .reduce((sum, { amount }) => {
      const parsed = parseMinor(String(amount), currency);
      if (!parsed.ok) throw new Error(parsed.reason);
      return sum + parsed.minor;
    }, 0n);
}
