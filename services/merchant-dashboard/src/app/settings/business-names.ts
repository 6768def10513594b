import type { Loop } from '@gp/service';
import { listUnpublishedNames } from '../../db/settings.ts';
import type { DashboardParts } from '../ports.ts';
import { changeSettings } from './settings.ts';

const BATCH = 20;
/** Nobody is paid so soon after a sign-up. */
const IDLE_MS = 2_000;

/**
 * Publishes the names of merchants to the services that show them to payers, after a sign-up, and after an upgrade from
 * a release that published none.
 */
export function publishBusinessNames({ db, wakeRelay }: Pick<DashboardParts, 'db' | 'wakeRelay'>): Loop {
  return {
    name: 'publish-business-names',
    idleMs: IDLE_MS,
    async runOnce() {
      const published = await db.transaction(async (tx) => {
        const owners = await listUnpublishedNames(tx, BATCH);
        for (const owner of owners) await changeSettings(tx, owner, {});
        return owners.length;
      });
      if (published > 0) wakeRelay();
      return published === BATCH ? 'busy' : 'idle';
    },
  };
}
