import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/** Every event was delivered, as it happened and under its own id, and no event was delivered that did not happen. */
export function webhooksComplete({ ledger, heard }: Views): Contradiction[] {
  const told = new Map(ledger.events.map((event) => [event.id, event]));
  const ids = new Set(heard.map(({ id }) => id));
  const paid = Map.groupBy(
    heard.filter(({ type }) => type === 'group_payment.paid'),
    ({ group_id }) => group_id,
  );
  return [
    ...ledger.events
      .filter(({ id }) => !ids.has(id))
      .map(({ id, type, group_id }) => `event ${id} (${type} of ${group_id}) was never heard`),
    ...heard.flatMap(({ id, type, group_id, sequence }) => {
      const event = told.get(id);
      if (!event) return [`event ${id} (${type}) was heard and never happened`];
      const isSame = event.type === type && event.group_id === group_id && event.sequence === sequence;
      return isSame ? [] : [`event ${id} was heard other than it happened`];
    }),
    ...timesPaid(ledger.transitions).flatMap(([group, times]) =>
      (paid.get(group)?.length ?? 0) === times ? [] : [`group ${group} was paid ${times} times by its log`],
    ),
  ];
}

/** How often each group became paid: once, unless a capture was taken back in between. */
function timesPaid(transitions: Views['ledger']['transitions']): [string, number][] {
  const paid = transitions.filter(({ entity, state_to }) => entity === 'group' && state_to === 'paid');
  return [...Map.groupBy(paid, ({ group_id }) => group_id)].map(([id, times]) => [id, times.length]);
}
