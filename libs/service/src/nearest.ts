/** Returns the candidate that the fewest changed letters turn `word` into; undefined when more than a third would change. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: countChanges(word, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(word.length, best.candidate.length) / 3
    ? best.candidate
    : undefined;
}

/** Counts inserted, deleted and replaced letters between two words (Levenshtein). */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at += 1)
      next.push(
        Math.min(
          (row[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
          (row[at] ?? 0) + (from[line] === to[at] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
