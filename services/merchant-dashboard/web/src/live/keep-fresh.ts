import type { QueryClient } from '@tanstack/react-query';
import { send } from '../api/send.ts';
import type { Mode } from '../shell/mode.ts';
import { followChanges } from './follow-changes.ts';
import { openRefresher } from './refresher.ts';
import { findSchedule, type Changed } from './staleness.ts';

/** Pages that learn at the same moment that they missed something load again over this time and not at once. */
const SPREAD_MS = 3_000;

/**
 * Loads what the screens of a mode show again when it has changed, while the page is visible. Returns a function that
 * ends this. `onLost` is called with true while there were no live updates for long.
 */
export function keepFresh(queries: QueryClient, mode: Mode, onLost: (isLost: boolean) => void): () => void {
  const cache = queries.getQueryCache();
  const refresher = openRefresher((hash) => {
    const query = cache.get(hash);
    if (query?.state.fetchStatus === 'fetching') return false;
    // What no screen shows now is loaded when one does.
    if (query) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    return true;
  });
  const mark = (changed: Changed, delayMs = 0): void => {
    for (const { queryKey, queryHash } of cache.getAll()) {
      const schedule = findSchedule(queryKey, { mode, changed });
      if (!schedule) continue;
      const afterMs = schedule.afterMs.map((ms) => ms + delayMs);
      refresher.mark(queryHash, { ...schedule, afterMs });
    }
  };
  const following = followChanges({
    open: () => new EventSource(`/api/${mode}/changes`),
    onChanged: (ids) => mark(new Set(ids)),
    onMissed: ({ isShared }) => mark('all', isShared ? Math.random() * SPREAD_MS : 0),
    // An ended session leads to the login, as with every other request.
    onRefused: () => void askForSession(queries),
    onLost,
  });
  const follow = (): void => {
    if (document.hidden) following.pause({ hasUnloaded: refresher.clear() });
    else following.resume();
  };
  document.addEventListener('visibilitychange', follow);
  addEventListener('online', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    removeEventListener('online', follow);
    following.pause({ hasUnloaded: refresher.clear() });
  };
}

/** Reads the session apart from the user that the screens show: a server that is away for a moment changes nothing there. */
const askForSession = (queries: QueryClient): Promise<void> =>
  queries
    .query({ queryKey: ['session'], queryFn: () => send('/api/me'), retry: false, staleTime: 0 })
    .then(() => undefined)
    .catch(() => undefined);
