import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import type { Logger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import {
  claimClock,
  endReset,
  isAnyClockUnsettled,
  leaveClock,
  moveClockTo,
  releaseClock,
  renewClock,
  settleClock,
  type TestClock,
} from '../db/test-clocks.ts';
import { failAfter, failBefore } from '../fail-points.ts';
import type { Followers } from './ports.ts';
import { watchWork, type Watched } from './watch-work.ts';

/** How long a worker drives one clock before it takes the next, ms. */
const TURN_MS = 2_000;
/** Longer than a step usually takes, ms. Two workers on one clock do no harm: each write names its revision. */
const LEASE_MS = 5_000;
/** Pause between two looks, ms: about the time a message takes through a service. */
const LOOK_AGAIN_MS = 10;

type Watch = ReturnType<typeof watchWork>;
type Passed = Exclude<Watched, { kind: 'busy' }>;

export type Driving = {
  readonly db: Db;
  readonly log: Logger;
  readonly followers: Followers;
  /** Called when timers may have fallen due. */
  readonly onReleased: () => void;
  readonly idleMs: number;
};

/**
 * Drives test clocks to their targets in steps: to the instant at which the next thing falls due, and further only when all
 * work of that instant is done. A step is stored, then announced to every service, then released, so that another scheduler
 * can continue the clock of one that died. Any number of replicas may run this.
 */
export function driveTestClocks(o: Driving): Loop & { wake(): void } {
  let wake = (): void => undefined;
  // A watch is kept across turns: its findings still count in the next one.
  const watches = new Map<string, Watch>();
  return {
    name: 'drive-test-clocks',
    idleMs: o.idleMs,
    onWake: (given) => (wake = given),
    wake: () => wake(),
    async runOnce(signal) {
      const worker = uuidv7();
      const clock = await claimClock(o.db, worker, LEASE_MS);
      if (!clock) return (await isAnyClockUnsettled(o.db)) ? 'idle' : 'empty';
      try {
        await drive(o, clock, { worker, signal, watches });
      } finally {
        await leaveClock(o.db, clock.merchantId, worker);
      }
      return 'busy';
    },
  };
}

async function drive(
  o: Driving,
  claimed: TestClock,
  by: { worker: string; signal: AbortSignal; watches: Map<string, Watch> },
): Promise<void> {
  const { merchantId } = claimed;
  const watch = by.watches.get(merchantId) ?? watchWork(o);
  by.watches.set(merchantId, watch);
  const turnEndsMs = performance.now() + TURN_MS;
  let clock: TestClock | undefined = claimed;
  while (clock && !by.signal.aborted && performance.now() < turnEndsMs) {
    if ((await step(o, clock, watch)) === 'waits') await delay(LOOK_AGAIN_MS);
    clock = await renewClock(o.db, { merchantId, worker: by.worker, leaseMs: LEASE_MS });
  }
  if (!clock) by.watches.delete(merchantId);
}

/** Takes one step of a clock, if it can move now. */
async function step(o: Driving, clock: TestClock, watch: Watch): Promise<'moved' | 'waits'> {
  if (clock.aheadMs !== clock.releasedMs) return release(o, clock);
  if (clock.isResetting) return goBack(o, clock);
  const watched = await watch(clock);
  if (watched.kind === 'busy') {
    o.log.debug({ merchant_id: clock.merchantId, reason: watched.waitsFor }, 'test clock waits');
    return 'waits';
  }
  if (clock.aheadMs < clock.targetMs) return move(o, clock, nextPosition(clock, watched));
  if (await settleClock(o.db, clock)) {
    o.log.info({ merchant_id: clock.merchantId, mode: 'test' }, 'test clock has settled');
  }
  return 'moved';
}

/** The shortest step while payers stay busy, ms: timers inside it fire at its end, as with a scheduler that is late. */
const BUSY_STEP_MS = 10 * 60_000;
/** A longer way takes about this many steps, however many timers fall due on it. */
const BUSY_STEPS = 16;

/** Returns the position at which the next thing falls due, or the target if that is nearer. */
export function nextPosition({ aheadMs, targetMs }: TestClock, { kind, dueInMs }: Passed): number {
  if (dueInMs === null) return targetMs;
  const leastMs = kind === 'still' ? 1 : Math.max(BUSY_STEP_MS, (targetMs - aheadMs) / BUSY_STEPS);
  return Math.min(targetMs, aheadMs + Math.ceil(Math.max(leastMs, dueInMs)));
}

/** Returns a clock to real time, where its reset ends. It may have been there already: reset before its first step. */
async function goBack(o: Driving, clock: TestClock): Promise<'moved'> {
  if (clock.aheadMs > 0) return move(o, clock, 0);
  await endReset(o.db, clock);
  return 'moved';
}

async function move(o: Driving, clock: TestClock, aheadMs: number): Promise<'moved'> {
  failBefore('clock-move');
  await moveClockTo(o.db, clock, aheadMs);
  failAfter('clock-move');
  return 'moved';
}

async function release(o: Driving, clock: TestClock): Promise<'moved'> {
  await o.followers.announce(clock);
  failBefore('clock-release');
  await o.db.transaction((tx) => releaseClock(tx, clock));
  failAfter('clock-release');
  o.onReleased();
  return 'moved';
}
