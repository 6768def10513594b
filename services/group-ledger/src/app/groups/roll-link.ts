import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { findCommand } from '../../db/commands.ts';
import { findLink, rollLink, type Link, type LinkName } from '../../db/group/roll-link.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import type { LedgerParts } from '../change/change-group.ts';
import { newLinkToken } from './new-names.ts';

type RollPage = typeof contracts.rollPageToken;
type RollOrganiser = typeof contracts.rollOrganiserToken;
type Request = RequestOf<RollPage | RollOrganiser>;
type Rolled = { readonly token: string; readonly link_number: number; readonly version: bigint };
type Parts = Pick<LedgerParts, 'db' | 'publishChange'>;

/** What is not found where the group has no such link, and the name of its replacement in the log of actions. */
const LINKS: Readonly<Record<LinkName, { readonly noun: string; readonly action: string }>> = {
  page: { noun: 'group payment', action: 'links.roll' },
  organiser: { noun: 'organiser', action: 'organiser-links.roll' },
};

/** Gives a group's page a new token. */
export function rollPageToken(parts: Parts): (r: RequestOf<RollPage>) => Promise<ResponseOf<RollPage>> {
  return async (request) => {
    const { token, link_number } = await replace(parts, 'page', request);
    return { page_token: token, link_number };
  };
}

/** Gives a group's organiser a new link; not_found for a group without one. */
export function rollOrganiserToken(
  parts: Parts,
): (r: RequestOf<RollOrganiser>) => Promise<ResponseOf<RollOrganiser>> {
  return async (request) => {
    const { token, link_number } = await replace(parts, 'organiser', request);
    return { token, link_number };
  };
}

/**
 * Replaces the token of a link. It changes no money state, so the group keeps its version; the actions of the ledger
 * record the actor. A command that ran before gets the link as it is now. Both are announced, without the token, because
 * the process of an earlier try may have died before it announced anything.
 */
async function replace({ db, publishChange }: Parts, link: LinkName, request: Request): Promise<Rolled> {
  const { group_id, merchant_id, mode, actor, command_id } = request;
  const rolled = await db.transaction(async (tx) => {
    const made = await rollLink(tx, link, request, newLinkToken(Date.now()));
    if (!made) return findRolled(tx, link, request);
    const { action } = LINKS[link];
    await recordAction(tx, { actor, action, subject: group_id, details: { command_id } });
    failBefore('link-roll');
    return toRolled(link, made);
  });
  failAfter('link-roll');
  publishChange({ group_id, merchant_id, mode, version: Number(rolled.version), replaced_link: link });
  return rolled;
}

/** Returns the link of the group of a command that ran before. */
async function findRolled(tx: Queryable, link: LinkName, request: Request): Promise<Rolled> {
  const { group_id, command_id, fingerprint } = request;
  const found = await findLink(tx, link, request);
  if (!found) throw notFound('group payment');
  const rolled = toRolled(link, found);
  const earlier = await findCommand(tx, command_id);
  const isSame = earlier?.fingerprint === fingerprint && earlier.group_id === group_id;
  if (!isSame) throw new AppError('idempotency_key_reused');
  return rolled;
}

function toRolled(link: LinkName, { token, ...found }: Link): Rolled {
  if (token === null) throw notFound(LINKS[link].noun);
  return { token, ...found };
}
