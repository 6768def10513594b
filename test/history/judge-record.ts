import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/**
 * Compares the answers that clients got with the ledger: every reported effect happened, and was reported as new to one
 * client only.
 */
export function acknowledgementsKept({ ledger, record }: Views): Contradiction[] {
  const intents = new Map(ledger.intents.map((intent) => [intent.id, intent]));
  // Compares with the log: a later change (a hold that lapsed, a refund the scheme sent back) is no contradiction.
  const everWas = (state: string) =>
    new Set(
      ledger.transitions
        .filter(({ entity, state_to }) => entity === 'intent' && state_to === state)
        .map(({ entity_id }) => entity_id),
    );
  const [wasHeld, wasRefunded] = [everWas('preauthorised'), everWas('refunded')];
  const groups = new Set(ledger.groups.map(({ id }) => id));
  const created = record.created
    .filter(({ group_id }) => !groups.has(group_id))
    .map(({ group_id }) => `group ${group_id} was acknowledged and does not exist`);
  const paid = record.paid.flatMap(({ payment_intent_id, slot_ids }) => {
    const intent = intents.get(payment_intent_id);
    if (!intent) return [`payment ${payment_intent_id} was acknowledged and does not exist`];
    const isSame = intent.slot_ids.toSorted().join() === slot_ids.toSorted().join();
    return isSame ? [] : [`payment ${intent.id} covers other slots than was acknowledged`];
  });
  const confirmed = record.confirmed
    .filter((id) => !wasHeld.has(id))
    .map((id) => `the hold of ${id} was acknowledged and never taken`);
  const refunded = record.refunded
    .flatMap(({ refunded_payment_intents }) => refunded_payment_intents)
    .filter((id) => !wasRefunded.has(id))
    .map((id) => `the refund of ${id} was acknowledged and never made`);
  return [...created, ...paid, ...confirmed, ...refunded];
}
