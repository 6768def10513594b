/** The time that use cases read; passed in, so that a test can pass another. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
