import { AppError } from '@gp/errors';

export type Failures = {
  /** Records a failure of the message; returns how often it has failed here, and its pause as planRetry does. */
  add(key: string, error: unknown): { readonly tries: number; readonly pauseMs: Pause | undefined };
  /** Returns the reason of the last failure when the message has failed too often, undefined before. */
  verdict(key: string): string | undefined;
  forget(key: string): void;
};

/** The bounds of a random pause, ms. */
export type Pause = readonly [least: number, most: number];

/** Failures of a message after which it becomes a dead letter. */
export const MAX_TRIES = 10;
/** Long enough not to spin on a fault. Work that waits minutes uses a timer instead. */
const PAUSE_MS: Pause = [1_000, 5_000];
/**
 * The same of a message that came before what it depends on: a quarter of an hour. Where that was lost, it is published a
 * second time after ten minutes (F9). Far below the deliveries after which the server's limit gives a message up.
 */
const MAX_EARLY_TRIES = 40;
const EARLY_PAUSE_MS: Pause = [20_000, 40_000];
/** Messages remembered; the one that began to fail first is forgotten first, and then begins to count again. */
const MAX_REMEMBERED = 10_000;

/** Returns the pause before a message that has failed so often is tried again; undefined when it is given up. */
export function planRetry(tries: number, error: unknown): Pause | undefined {
  if (tries < MAX_TRIES) return PAUSE_MS;
  const isEarly = error instanceof AppError && error.code === 'conflict';
  return isEarly && tries < MAX_EARLY_TRIES ? EARLY_PAUSE_MS : undefined;
}

/**
 * Counts the failures that this process has seen, by message. The server counts deliveries, which also grow when a
 * process is killed or stopped with the message in hand, so its count says nothing about the message. A process that
 * starts again counts from zero, as does each replica; the server's own delivery limit bounds the sum.
 */
export function countFailures(): Failures {
  const seen = new Map<string, { readonly tries: number; readonly givenUpFor: string | undefined }>();
  return {
    add(key, error) {
      const tries = (seen.get(key)?.tries ?? 0) + 1;
      const pauseMs = planRetry(tries, error);
      seen.set(key, { tries, givenUpFor: pauseMs ? undefined : toReason(error) });
      const [oldest] = seen.keys();
      if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
      return { tries, pauseMs };
    },
    verdict: (key) => seen.get(key)?.givenUpFor,
    forget: (key) => void seen.delete(key),
  };
}

/** Returns why a message failed, for its dead letter. */
export function toReason(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
}
