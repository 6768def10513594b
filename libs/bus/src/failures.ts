export type Failures = {
  /** Records a failure of the message; returns how often it has failed here. */
  add(key: string, reason: string): number;
  /** Returns the reason of the last failure when the message has failed `MAX_TRIES` times, undefined before. */
  verdict(key: string): string | undefined;
  forget(key: string): void;
};

/** Failures of a message after which it becomes a dead letter. */
export const MAX_TRIES = 10;
/** Messages remembered; the one that began to fail first is forgotten first, and then begins to count again. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts the failures that this process has seen, by message. The server counts deliveries, which also grow when a
 * process is killed or stopped with the message in hand, so its count says nothing about the message. A process that
 * starts again counts from zero, as does each replica; the server's own delivery limit bounds the sum.
 */
export function countFailures(): Failures {
  const seen = new Map<string, { readonly times: number; readonly reason: string }>();
  return {
    add(key, reason) {
      const times = (seen.get(key)?.times ?? 0) + 1;
      seen.set(key, { times, reason });
      const [oldest] = seen.keys();
      if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
      return times;
    },
    verdict(key) {
      const last = seen.get(key);
      return last !== undefined && last.times >= MAX_TRIES ? last.reason : undefined;
    },
    forget: (key) => void seen.delete(key),
  };
}
