import type {
  RequestOf,
  ResponseOf,
  revokeSessions as contract,
  rollCheckoutLink as rolling,
} from '@gp/contracts';
import { between } from '../fail-points.ts';
import type { Ledger, SessionParts } from './ports.ts';
import { raiseEpoch } from './raise-epoch.ts';

/** Revokes every token of a group by starting its next epoch; api-gateway receives it within a second. */
export function revokeSessions(
  parts: SessionParts & { ledger: Pick<Ledger, 'findGroup'> },
): (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>> {
  return async ({ merchant_id, mode, group_id }) => {
    const group = { merchant_id, mode, group_id };
    await parts.ledger.findGroup(group);
    return { epoch: await raiseEpoch(parts, group) };
  };
}

/**
 * Replaces the link of a group's page, then revokes every token of the group. This order keeps the old link from minting
 * a token of the new epoch: a page that was looked up before has a smaller link number than its epoch's. When this process
 * dies in between and nobody repeats the request, the first token that is minted for the new link revokes the older ones.
 */
export function rollCheckoutLink(
  parts: SessionParts & { ledger: Pick<Ledger, 'rollPageToken'> },
): (request: RequestOf<typeof rolling>) => Promise<ResponseOf<typeof rolling>> {
  return async (request) => {
    const { merchant_id, mode, group_id } = request;
    const { page_token, link_number } = await between('link-roll', () => parts.ledger.rollPageToken(request));
    await raiseEpoch(parts, { merchant_id, mode, group_id }, link_number);
    return { page_token };
  };
}
