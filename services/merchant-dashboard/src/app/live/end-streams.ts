import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { listLiveSessions } from '../../db/sessions.ts';
import type { ChangeStreams } from './change-streams.ts';

/** How often the sessions of open streams are read: a stream outlives its session by little more. */
const RECHECK_MS = 1_000;

/** Ends the streams of sessions that are over, whether by a logout, their age, or a change of the team. */
export function endStreams(db: Db, streams: Pick<ChangeStreams, 'endDead'>): Loop {
  return {
    name: 'end-streams',
    idleMs: RECHECK_MS,
    async runOnce() {
      await streams.endDead((sessionIds) => listLiveSessions(db, sessionIds));
      return 'idle';
    },
  };
}
