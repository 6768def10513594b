import type { History } from './run-history.ts';

/** Counts of a history, a line each, over all its parts. */
export function summarizeHistory({ views, found, stored }: History): string[] {
  const { groups, intents } = views.ledger;
  const states = Map.groupBy(groups, ({ state }) => state);
  const tally = Object.entries(views.record.tally).toSorted(([a], [b]) => a.localeCompare(b));
  const kills = tally.filter(([what]) => what.startsWith('kill ')).reduce((sum, [, times]) => sum + times, 0);
  return [
    `${Number(stored.minutes.toFixed(1))} minutes of trouble, ${stored.parts} parts, ${groups.length} groups, ` +
      `${intents.length} payments, ${views.heard.length} events, ${kills} kills`,
    `${groups.length} groups: ${[...states].map(([state, all]) => `${all.length} ${state}`).join(', ')}`,
    `${intents.length} payments, ${views.books.length} in the books, ${views.heard.length} events heard`,
    ...tally.map(([what, times]) => `  ${String(times).padStart(6)}  ${what}`),
    `${found.length} contradictions`,
    ...found.slice(0, 50).map((sentence) => `  ${sentence}`),
  ];
}
