import type { History } from './run-history.ts';

/** Counts of a run, a line each. */
export function summarizeHistory({ views, found }: History): string[] {
  const states = Map.groupBy(views.ledger.groups, ({ state }) => state);
  const tally = [...views.record.tally].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    `${views.ledger.groups.length} groups: ${[...states].map(([state, all]) => `${all.length} ${state}`).join(', ')}`,
    `${views.ledger.intents.length} payments, ${views.books.length} in the books, ${views.heard.length} events heard`,
    ...tally.map(([what, times]) => `  ${String(times).padStart(6)}  ${what}`),
    `${found.length} contradictions`,
    ...found.slice(0, 50).map((sentence) => `  ${sentence}`),
  ];
}
