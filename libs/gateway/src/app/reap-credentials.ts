import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteUnusedCredentials } from '../db/credentials.ts';

/** Deletes versions of credentials that were replaced and that nothing uses, once an hour. */
export function reapCredentials(db: Db): Loop {
  return {
    name: 'reap-credentials',
    idleMs: 60 * 60 * 1000,
    async runOnce() {
      await deleteUnusedCredentials(db);
      return 'idle';
    },
  };
}
