import { fireTimer, type TimerFired } from '@gp/contracts';
import { insertOutbox, type OutboxMessage } from '@gp/outbox';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { mark } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { findNextDue, markDueFired, type DueTimer } from '../db/timers.ts';
import { failAfter, failBefore } from '../fail-points.ts';

/** Per scan: large enough that 10,000 expiries of one minute take 50 scans, small enough to stay a short transaction. */
const SCAN_SIZE = 200;

/** Timers that are due and that another replica is firing are looked at again after this time. */
const SHORTEST_PAUSE_MS = 20;

export type TimerLoop = Loop & {
  /** Looks at once. */
  wake(): void;
  /** Call it when a timer was stored: one that is due before the next look brings that forward. */
  expect(dueAtMs: number): void;
};

/**
 * Sends a message to the owner of each due timer. The mark and the message are one commit, so each timer fires at least
 * once. Any number of replicas may run this. A pass that finds nothing due rests until the next timer is due, at most
 * `longestPauseMs`: a timer that another replica stored meanwhile may be so much late.
 */
export function fireDueTimers(o: { db: Db; wakeRelay: () => void; longestPauseMs: number }): TimerLoop {
  let wake = (): void => undefined;
  let pauseMs = SHORTEST_PAUSE_MS;
  let nextLookMs = 0;
  const rest = (waitMs: number): 'idle' => {
    pauseMs = Math.min(o.longestPauseMs, Math.max(SHORTEST_PAUSE_MS, Math.ceil(waitMs)));
    nextLookMs = Date.now() + pauseMs;
    return 'idle';
  };
  return {
    name: 'fire-due-timers',
    get idleMs() {
      return pauseMs;
    },
    onWake: (given) => (wake = given),
    wake: () => wake(),
    expect: (dueAtMs) => {
      if (dueAtMs < nextLookMs) wake();
    },
    async runOnce() {
      // Until this pass has looked, a timer that is stored may have been missed by it.
      nextLookMs = Infinity;
      const waitMs = (await findNextDue(o.db)) ?? Infinity;
      if (waitMs > 0) return rest(waitMs);
      const fired = await o.db.transaction(async (tx) => {
        const due = await markDueFired(tx, SCAN_SIZE);
        if (due.length > 0) await insertOutbox(tx, due.map(toMessage));
        if (due.length > 0) failBefore('fire');
        return due.length;
      });
      if (fired === 0) return rest(0);
      failAfter('fire');
      o.wakeRelay();
      return 'busy';
    },
  };
}

/** Starts a new trace for the timer, linked to the trace that set it, which may be a week old. */
function markFired({ merchant_id, mode, kind, traceparent }: DueTimer): string | undefined {
  const attributes = { merchant_id, mode, timer_kind: kind };
  return mark('fire timer', { root: true, attributes, links: [traceparent ?? undefined] });
}

function toMessage(timer: DueTimer): OutboxMessage {
  const payload: TimerFired = {
    merchant_id: timer.merchant_id,
    mode: timer.mode,
    owner: timer.owner,
    key: timer.key,
    revision: Number(timer.revision),
    kind: timer.kind,
    due_at: timer.due_at.toISOString(),
    data: timer.data,
  };
  const traceparent = markFired(timer);
  return {
    id: uuidv7(),
    subject: fireTimer(timer.owner).subject,
    groupKey: timer.key,
    mode: timer.mode,
    payload,
    ...(traceparent !== undefined && { traceparent }),
  };
}
