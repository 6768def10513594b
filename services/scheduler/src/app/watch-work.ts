import type { Db } from '@gp/pg';
import { nextTimerInMs, type TestClock } from '../db/test-clocks.ts';
import type { Followers, Seen } from './ports.ts';

/** `busy`: something is being done. `still`: nothing is, and the next thing is due in so many ms of the clock. */
export type Watched =
  | { readonly kind: 'busy'; readonly waitsFor: string }
  | { readonly kind: 'still'; readonly dueInMs: number | null };

/**
 * Watches a merchant's test-mode work until there is none. One look sees each place at another moment, so work that moves
 * between them can be missed by one; it cannot be missed by two in a row, because on its way it leaves a message that
 * was not there at the first, and every message known at the start of a look must be worked off in it.
 */
export function watchWork(o: { db: Db; followers: Followers }) {
  let seen: Seen = new Map();
  let stillLooks = 0;

  const lookOnce = async (clock: TestClock): Promise<Watched> => {
    const looked = await o.followers.look(clock.merchantId, seen);
    seen = new Map([...looked].map(([context, work]) => [context, work.seen]));
    const timerInMs = await nextTimerInMs(o.db, clock);
    if (timerInMs !== null && timerInMs <= 0) return { kind: 'busy', waitsFor: 'timers' };
    for (const [context, { waits_for, has_acted }] of looked) {
      if (waits_for !== null) return { kind: 'busy', waitsFor: `${context}: ${waits_for}` };
      if (has_acted) return { kind: 'busy', waitsFor: `${context}: news` };
    }
    const due = [timerInMs, ...[...looked.values()].map(({ due_in_ms }) => due_in_ms)];
    const known = due.filter((ms) => ms !== null);
    return { kind: 'still', dueInMs: known.length > 0 ? Math.min(...known) : null };
  };

  return async (clock: TestClock): Promise<Watched> => {
    const watched = await lookOnce(clock);
    stillLooks = watched.kind === 'still' ? stillLooks + 1 : 0;
    if (watched.kind === 'busy') return watched;
    if (stillLooks < 2) return { kind: 'busy', waitsFor: 'a second look' };
    // What the clock does next makes work that this look could not see.
    stillLooks = 0;
    return watched;
  };
}
