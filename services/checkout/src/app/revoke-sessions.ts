import {
  sessionEpochRaised,
  type RequestOf,
  type ResponseOf,
  type revokeSessions as contract,
  type SessionEpoch,
} from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import { uuidv7 } from 'uuidv7';
import { raiseEpoch } from '../db/sessions.ts';
import { committed } from '../fail-points.ts';
import type { Ledger, SessionParts } from './ports.ts';

/** Revokes every token of a group by starting its next epoch; api-gateway receives it within a second. */
export function revokeSessions(
  parts: SessionParts & { ledger: Pick<Ledger, 'findGroup'> },
): (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>> {
  return async ({ merchant_id, mode, group_id }) => {
    const group = { merchant_id, mode, group_id };
    await parts.ledger.findGroup(group);
    const epoch = await committed(parts.db, 'session-revoke', async (tx) => {
      const raised: SessionEpoch = { ...group, epoch: await raiseEpoch(tx, group) };
      const subject = `${sessionEpochRaised.subject}.${group_id}`;
      await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey: group_id, mode, payload: raised }]);
      return raised.epoch;
    });
    parts.wakeRelay();
    return { epoch };
  };
}
