/** The server's time, in epoch milliseconds, as far as this page knows it. */
export type ServerClock = {
  now(): number;
  /** Applies the server's time, in epoch milliseconds. */
  synchronise(serverNow: number): void;
};

/** A response may travel this long; a smaller difference is network delay and changes nothing. */
const LEAST_CHANGE_MS = 1_500;

/**
 * Runs on the monotonic clock (`ticks`, ms), so that a payer whose device has another time, or changes it, sees
 * the same countdown as every other payer.
 */
export function serverClock(serverNow: number, ticks: () => number = () => performance.now()): ServerClock {
  let offset = serverNow - ticks();
  return {
    now: () => ticks() + offset,
    synchronise(serverNow) {
      const fresh = serverNow - ticks();
      if (Math.abs(fresh - offset) > LEAST_CHANGE_MS) offset = fresh;
    },
  };
}
