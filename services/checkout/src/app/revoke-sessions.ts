import {
  sessionEpochRaised,
  type RequestOf,
  type ResponseOf,
  type revokeSessions as contract,
  type rollCheckoutLink as rolling,
  type SessionEpoch,
} from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import { uuidv7 } from 'uuidv7';
import { raiseEpoch } from '../db/sessions.ts';
import { between, committed } from '../fail-points.ts';
import type { Ledger, SessionParts } from './ports.ts';

type Group = Omit<SessionEpoch, 'epoch'>;

/** Revokes every token of a group by starting its next epoch; api-gateway receives it within a second. */
export function revokeSessions(
  parts: SessionParts & { ledger: Pick<Ledger, 'findGroup'> },
): (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>> {
  return async ({ merchant_id, mode, group_id }) => {
    const group = { merchant_id, mode, group_id };
    await parts.ledger.findGroup(group);
    return { epoch: await raise(parts, group, 0) };
  };
}

/**
 * Replaces the link of a group's page, then revokes every token of the group. This order keeps the old link from minting
 * a token of the new epoch: a page that was looked up before has a smaller link number than its epoch's.
 */
export function rollCheckoutLink(
  parts: SessionParts & { ledger: Pick<Ledger, 'rollPageToken'> },
): (request: RequestOf<typeof rolling>) => Promise<ResponseOf<typeof rolling>> {
  return async (request) => {
    const { merchant_id, mode, group_id } = request;
    const { page_token, link_number } = await between('link-roll', () => parts.ledger.rollPageToken(request));
    await raise(parts, { merchant_id, mode, group_id }, link_number);
    return { page_token };
  };
}

async function raise(parts: SessionParts, group: Group, link: number): Promise<number> {
  const { group_id, mode } = group;
  const epoch = await committed(parts.db, 'session-revoke', async (tx) => {
    const raised: SessionEpoch = { ...group, epoch: await raiseEpoch(tx, group, link) };
    const subject = `${sessionEpochRaised.subject}.${group_id}`;
    await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey: group_id, mode, payload: raised }]);
    return raised.epoch;
  });
  parts.wakeRelay();
  return epoch;
}
