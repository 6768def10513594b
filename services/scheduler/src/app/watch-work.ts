import type { TestWork } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { nextTimerInMs, type TestClock } from '../db/test-clocks.ts';
import type { Followers, Mark, Seen } from './ports.ts';

/**
 * `busy`: something is being done that may be the clock's doing. `still`: nothing is, and the next thing is due in so many
 * ms of the clock. `passed`: something is, but only what others began since.
 */
export type Watched =
  | { readonly kind: 'busy'; readonly waitsFor: string }
  | { readonly kind: 'still' | 'passed'; readonly dueInMs: number | null };

/**
 * All that there was to do at one moment makes the next round, what that led to the one after it. The longest way from a
 * timer (a gateway is asked, knows a hold that comes too late, releases it, and the merchant hears of it) takes 14 of them;
 * payments that others begin go on for ever.
 */
const LONGEST_WAY_ROUNDS = 24;

type Round = { readonly mark: Mark; readonly begunMs: number };

/**
 * Watches a merchant's test-mode work until there is none. One look sees each place at another moment, so work that moves
 * between them can be missed by one; it cannot be missed by two in a row, because on its way it leaves a message that
 * was not there at the first, and every message known at the start of a look must be worked off in it. Where people go
 * on paying there is never none: there it is enough that all which the clock's last step led to is done.
 */
export function watchWork(o: { db: Db; followers: Followers }) {
  let seen: Seen = new Map();
  let round: Round | undefined;
  let stillLooks = 0;
  let roundsPast = 0;

  const conclude = (kind: 'still' | 'passed', dueInMs: number | null): Watched => {
    // What the clock does next makes work that this look could not see.
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
    if (has_acted) return `${context}: news`;
  }
  return null;
}

function nextDue(looked: Looked, timerInMs: number | null): number | null {
  const due = [timerInMs, ...[...looked.values()].map(({ due_in_ms }) => due_in_ms)];
  const known = due.filter((ms) => ms !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
