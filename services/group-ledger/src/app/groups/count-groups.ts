import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { addChanges, countNextDay } from '../../db/group/group-counts.ts';

/**
 * The trigger on groups notes the changes of those older than 24 hours. The rest is for transactions that began before
 * a group was as old, which end within seconds.
 */
const SETTLED_MS = (24 * 60 + 10) * 60 * 1000;

/** Counts the groups of days that are over, so that a list knows how many match without reading all of them. */
export function countGroups(db: Db): Loop {
  return {
    name: 'count-groups',
    idleMs: 60 * 1000,
    runOnce: async () => {
      const hasDays = await db.transaction((tx) => countNextDay(tx, SETTLED_MS));
      const hasChanges = await db.transaction((tx) => addChanges(tx));
      return hasDays || hasChanges ? 'busy' : 'idle';
    },
  };
}
