/** The number of declines within a window that indicates card testing, and how long payments are then blocked. */
export type DeclineRule = { readonly most: number; readonly windowMs: number; readonly blockMs: number };

/** The declines of one group or client within the window, by id, and until when it is blocked. */
export type Tally = {
  readonly declines: ReadonlyMap<string, number>;
  readonly blockedUntilMs: number;
};

export const noDeclines: Tally = { declines: new Map(), blockedUntilMs: -Infinity };

/**
 * Returns the tally after one more decline. A repeated id counts once; the last allowed decline starts the block,
 * and declines during the block prolong it. Never holds more than `most` of them.
 */
export function withDecline(tally: Tally, id: string, atMs: number, rule: DeclineRule): Tally {
  if (tally.declines.has(id)) return tally;
  const recent = [...tally.declines].filter(([, at]) => at > atMs - rule.windowMs);
  const declines = new Map([...recent, [id, atMs] as const].slice(-rule.most));
  const isTooMany = declines.size >= rule.most;
  return { declines, blockedUntilMs: isTooMany ? atMs + rule.blockMs : tally.blockedUntilMs };
}
