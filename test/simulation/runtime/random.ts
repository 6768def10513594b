/** Returns the same numbers for the same seed (mulberry32). */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A source of its own: what others draw does not change what it draws. */
  fork(): Random;
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[between(0, items.length - 1)] as T;
    },
    fork: () => randomFrom(Math.floor(next() * 4_294_967_296)),
  };
}
