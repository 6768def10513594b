import type { TestWork } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { nextTimerInMs, type TestClock } from '../db/test-clocks.ts';
import type { Followers, Mark, Seen } from './ports.ts';

/**
 * `busy`: work is going on that the clock may have caused. `still`: no work is going on, and the next thing falls due in
 * `dueInMs` of the clock's time. `passed`: the only work is what others began since.
 */
export type Watched =
  | { readonly kind: 'busy'; readonly waitsFor: string }
  | { readonly kind: 'still' | 'passed'; readonly dueInMs: number | null };

/**
 * A round is all work that existed at one moment; the work it causes is the next round. The longest chain from a timer (ask a
 * gateway, find a late hold, release it, send the webhook) takes 14 rounds. Payments that others begin never end.
 */
const LONGEST_WAY_ROUNDS = 24;

type Round = { readonly mark: Mark; readonly begunMs: number };

/**
 * Watches a merchant's test-mode work until there is none. A look reads each service at another instant, so one look can miss
 * work that moves between services. Two looks in a row cannot: moving work leaves a message that did not exist at the first
 * look, and a look requires that every message known at its start is handled. While payers stay busy there is always work;
 * then it is enough that all work caused by the clock's last step is done.
 */
export function watchWork(o: { db: Db; followers: Followers }) {
  let seen: Seen = new Map();
  let round: Round | undefined;
  let stillLooks = 0;
  let roundsPast = 0;

  const conclude = (kind: 'still' | 'passed', dueInMs: number | null): Watched => {
    // The clock's next step causes work that these looks could not see.
    [round, stillLooks, roundsPast] = [undefined, 0, 0];
    return { kind, dueInMs };
  };

  return async (clock: TestClock): Promise<Watched> => {
    const isFirstLook = round === undefined;
    const { mark, begunMs } = (round ??= { mark: await o.followers.mark(), begunMs: performance.now() });
    const looked = await o.followers.look(clock.merchantId, mark, seen);
    seen = new Map([...looked].map(([context, work]) => [context, work.seen]));
    const timerInMs = await nextTimerInMs(o.db, clock);
    const waitsFor = reasonToWait(looked, timerInMs);
    stillLooks = waitsFor === null && isFirstLook ? stillLooks + 1 : 0;
    const sinceMs = performance.now() - begunMs;
    const isTimerPast = timerInMs === null || timerInMs > -sinceMs;
    const isPast = isTimerPast && [...looked.values()].every((work) => work.is_past);
    if (isPast) {
      round = undefined;
      roundsPast += 1;
    }
    if (stillLooks === 2) return conclude('still', nextDue(looked, timerInMs));
    if (isPast && roundsPast >= LONGEST_WAY_ROUNDS) return conclude('passed', nextDue(looked, timerInMs));
    return { kind: 'busy', waitsFor: waitsFor ?? 'a second look' };
  };
}

type Looked = ReadonlyMap<string, TestWork>;

function reasonToWait(looked: Looked, timerInMs: number | null): string | null {
  if (timerInMs !== null && timerInMs <= 0) return 'timers';
  for (const [context, { waits_for, has_acted }] of looked) {
    if (waits_for !== null) return `${context}: ${waits_for}`;
    if (has_acted) return `${context}: new work`;
  }
  return null;
}

function nextDue(looked: Looked, timerInMs: number | null): number | null {
  const due = [timerInMs, ...[...looked.values()].map(({ due_in_ms }) => due_in_ms)];
  const known = due.filter((ms) => ms !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
