import type { LiveUpdates } from '../net/live.ts';
import type { GroupModel } from '../state/group-model.ts';

/** A connection lost for less than this, ms, is not shown. */
const STALE_MS = 5_000;

/** Returns what notes on the page that its connection is lost, and that it is back. */
export function followConnection(
  { isStale }: Pick<GroupModel, 'isStale'>,
  signal: AbortSignal,
): LiveUpdates['connected'] {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isConnected) => {
    if (!isConnected) {
      // Consecutive failures are one loss, counted from its beginning.
      timer ??= setTimeout(() => (isStale.value = !signal.aborted), STALE_MS);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    isStale.value = false;
  };
}
