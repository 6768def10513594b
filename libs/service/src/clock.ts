/** The time as use cases see it: handed in, so that a test can hand in another. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
