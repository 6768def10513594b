const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/**
 * Returns the pause before the next try after `failures` in a row, ms: doubling up to eight seconds, so that a
 * page that was offline is back soon after the network is, and half of it random, so that pages do not all return
 * at once.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return full / 2 + (full / 2) * random();
}
