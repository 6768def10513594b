import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { listLiveSessions } from '../../db/sessions.ts';
import type { ChangeStreams } from './change-streams.ts';

/** How often the sessions of open streams are read: a stream outlives its session by little more. */
const RECHECK_MS = 3_000;
/** The pause while no stream is open; the first one ends it. */
const REST_MS = 3_600_000;

/** Ends the streams of sessions that are over, whether by a logout, their age, or a change of the team. */
export function endStreams(
  db: Db,
  streams: Pick<ChangeStreams, 'endDead' | 'hasAny' | 'whenFirstOpens'>,
): Loop {
  return {
    name: 'end-streams',
    get idleMs() {
      return streams.hasAny() ? RECHECK_MS : REST_MS;
    },
    onWake: streams.whenFirstOpens,
    async runOnce() {
      await streams.endDead((sessionIds) => listLiveSessions(db, sessionIds));
      return 'idle';
    },
  };
}
