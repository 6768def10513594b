import type { Loop } from '@gp/service';
import type { VirtualTime, Scheduled } from '../runtime/virtual-time.ts';
import type { Database } from '../store/database.ts';
import type { Process } from './process.ts';

/**
 * Repeats a loop's pass while its process lives. Where the real loop would look again and again at tables without work for
 * it, this one sleeps until the tables have some: passes that find nothing are left out, nothing else.
 */
export function runLoop(
  {
    process,
    time,
    database,
  }: {
    process: Process;
    time: VirtualTime;
    database: Pick<Database<unknown>, 'hasWorkFor' | 'isStandby' | 'nextDue' | 'onDue'>;
  },
  loop: Loop,
): void {
  let scheduled: (Scheduled & { atMs: number }) | undefined;
  let isRunning = false;
  let isAwake = false;
  /** The longest rest that the pass asked for, ms. */
  let longestRestMs: number | undefined;

  const schedule = (atMs: number): void => {
    if (database.isStandby(process, loop.name)) return;
    if (scheduled && scheduled.atMs <= atMs) return;
    if (scheduled) scheduled.isCancelled = true;
    const at = Math.max(atMs, time.nowMs);
    scheduled = Object.assign(time.at(at, process, pass), { atMs: at });
  };
  const pass = (): void => {
    scheduled = undefined;
    isRunning = true;
    isAwake = false;
    longestRestMs = undefined;
    loop.runOnce(new AbortController().signal).then(
      (result) =>
        rest(result === 'busy' ? 0 : result === 'empty' ? (longestRestMs ?? loop.idleMs) : loop.idleMs),
      () => rest(time.random.between(0, 1_000)),
    );
  };
  const rest = (ms: number): void => {
    isRunning = false;
    if (process.isDead) return;
    if (ms === 0 || isAwake) return schedule(time.nowMs);
    const due = database.nextDue(loop.name);
    if (due !== undefined) schedule(Math.max(time.nowMs + ms, due));
  };
  const wake = (withinMs = 0): void => {
    if (withinMs > 0) {
      longestRestMs = withinMs;
      return;
    }
    isAwake = true;
    if (!isRunning) schedule(time.nowMs);
  };

  loop.onWake?.(wake);
  if (!database.hasWorkFor(loop.name)) return;
  const stop = database.onDue((name, atMs) => {
    if (process.isDead) stop();
    else if (name === loop.name && !isRunning)
      schedule(atMs + time.random.between(0, Math.min(loop.idleMs, 1_000)));
  });
  schedule(time.nowMs + time.random.between(0, loop.idleMs));
}
