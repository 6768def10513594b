import type { Loop } from '@gp/service';
import { UUID } from 'uuidv7';
import { listUnpublishedNames } from '../../db/settings.ts';
import type { DashboardParts } from '../ports.ts';
import { changeSettings } from './settings.ts';

const BATCH = 20;
/** Nobody is paid so soon after a sign-up. */
const IDLE_MS = 2_000;
/** A sign-up may be committed so long after its merchant got an id, and clocks of processes differ. */
const MARGIN_MS = 5 * 60_000;
const EVERY_MERCHANT = firstIdAt(0);

/**
 * Publishes the names of merchants to the services that show them to payers: of every merchant when the process starts, which
 * an upgrade from a release that published none needs, then of those that signed up.
 */
export function publishBusinessNames(
  { db, wakeRelay }: Pick<DashboardParts, 'db' | 'wakeRelay'>,
  now: () => number = Date.now,
): Loop {
  let from = EVERY_MERCHANT;
  return {
    name: 'publish-business-names',
    idleMs: IDLE_MS,
    async runOnce() {
      const nextFrom = firstIdAt(now() - MARGIN_MS);
      // Nearly every look finds nothing, and that needs no transaction.
      if ((await listUnpublishedNames(db, { most: 1, from })).length === 0) {
        from = nextFrom;
        return 'idle';
      }
      const published = await db.transaction(async (tx) => {
        const owners = await listUnpublishedNames(tx, { most: BATCH, from });
        for (const owner of owners) await changeSettings(tx, owner, {});
        return owners.length;
      });
      if (published > 0) wakeRelay();
      if (published === BATCH) return 'busy';
      from = nextFrom;
      return 'idle';
    },
  };
}

/** Returns the smallest id that a merchant may get at an instant: ids are UUIDs of version 7. */
function firstIdAt(ms: number): string {
  return UUID.fromFieldsV7(ms, 0, 0, 0).toString();
}
