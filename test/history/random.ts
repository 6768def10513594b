/** Returns the same numbers for the same seed, so that a run can be repeated (mulberry32). */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order. */
  some<T>(items: readonly T[], count: number): T[];
  /** A source of its own for one actor: what others draw does not change what it draws. */
  fork(): Random;
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[between(0, items.length - 1)] as T;
  };
  return {
    next,
    between,
    pick,
    chance: (probability) => next() < probability,
    some: (items, count) => {
      const order = items.map((item, place) => ({ item, place, draw: next() }));
      const drawn = order.sort((a, b) => a.draw - b.draw).slice(0, count);
      return drawn.sort((a, b) => a.place - b.place).map(({ item }) => item);
    },
    fork: () => randomFrom(Math.floor(next() * 4_294_967_296)),
  };
}
