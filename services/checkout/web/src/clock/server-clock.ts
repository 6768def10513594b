/** The server's time, in epoch milliseconds, as far as this page knows it. */
export type ServerClock = {
  now(): number;
  /** The server said what time it is, in epoch milliseconds. */
  hear(serverNow: number): void;
};

/** An answer may have travelled this long; a smaller disagreement is its way and no news. */
const NEWS_MS = 1_500;

/**
 * Runs on the monotonic clock (`ticks`, ms), so that a payer whose device tells another time, or changes it, sees the
 * same countdown as everybody else.
 */
export function serverClock(serverNow: number, ticks: () => number = () => performance.now()): ServerClock {
  let offset = serverNow - ticks();
  return {
    now: () => ticks() + offset,
    hear(heard) {
      const fresh = heard - ticks();
      if (Math.abs(fresh - offset) > NEWS_MS) offset = fresh;
    },
  };
}
