import type { Contradiction } from './contradiction.ts';
import type { Transition, Views } from './views.ts';

/** Where every chain begins: creation itself is not a step. */
const BEGINNING = { group: 'open', slot: 'unassigned', intent: 'created' } as const;

/** The log of each group, slot and payment is one chain from its beginning to where it is now: no step lost or doubled. */
export function logIsAChain({ ledger, api }: Views): Contradiction[] {
  const logs = Map.groupBy(ledger.transitions, ({ entity_id }) => entity_id);
  const check =
    (entity: keyof typeof BEGINNING) =>
    ({ id, state }: { id: string; state: string }) =>
      brokenAt(`${entity} ${id}`, BEGINNING[entity], logs.get(id) ?? [], state);
  return [
    ...ledger.groups.flatMap(check('group')),
    ...ledger.intents.flatMap(check('intent')),
    ...api.flatMap(({ payment_slots }) => payment_slots).flatMap(check('slot')),
  ];
}

function brokenAt(
  name: string,
  beginning: string,
  steps: readonly Transition[],
  now: string,
): Contradiction[] {
  const states = [beginning, ...steps.map(({ state_to }) => state_to)];
  const gaps = steps.flatMap(({ state_from }, place) =>
    (state_from ?? beginning) === states[place]
      ? []
      : [`${name} went from ${state_from} while ${states[place]}`],
  );
  const last = states.at(-1);
  return last === now ? gaps : [...gaps, `${name} is ${now} and its log ends ${last}`];
}
