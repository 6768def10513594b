import { sessionEpochRaised, type SessionEpoch } from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import { uuidv7 } from 'uuidv7';
import { epochOfGroup, raiseEpoch as raise } from '../db/sessions.ts';
import { committed } from '../fail-points.ts';
import type { SessionParts } from './ports.ts';

/**
 * Revokes the tokens of a group by starting its next epoch, and returns the epoch that counts. With the number of a link
 * it does so once: a repeated replacement must not revoke the tokens that visitors of the new link hold.
 */
export async function raiseEpoch(
  parts: SessionParts,
  group: Omit<SessionEpoch, 'epoch'>,
  link = 0,
): Promise<number> {
  const { group_id, mode } = group;
  const epoch = await committed(parts.db, 'session-revoke', async (tx) => {
    const next = await raise(tx, group, link);
    if (next === undefined) return epochOfGroup(tx, group_id);
    const payload: SessionEpoch = { ...group, epoch: next };
    const subject = `${sessionEpochRaised.subject}.${group_id}`;
    await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey: group_id, mode, payload }]);
    return next;
  });
  parts.wakeRelay();
  return epoch;
}
