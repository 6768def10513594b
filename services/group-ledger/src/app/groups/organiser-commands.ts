import type * as contracts from '@gp/contracts';
import type { OrganiserRight, OrganiserRights, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound, validationError } from '@gp/errors';
import { findGroupOfOrganiser } from '../../db/lookups/find-groups.ts';
import type { Loaded } from '../../db/group/load-group.ts';
import { isCollecting, type Command } from '../../domain/index.ts';
import { changeGroup, type LedgerParts } from '../change/change-group.ts';
import { findOrganisedGroup } from './find-groups.ts';
import { needRight } from './organiser-rights.ts';

type Extend = typeof contracts.organiserExtend;
type Cancel = typeof contracts.organiserCancel;

/** Moves a group's expiry to a later instant on its organiser's word, no further than the merchant allowed (Q84). */
export function organiserExtend(parts: LedgerParts): (r: RequestOf<Extend>) => Promise<ResponseOf<Extend>> {
  return ({ token, expires_at }) =>
    act(parts, { token, right: 'extend', step: 'update' }, ({ latest_expires_at: latest }, loaded) => {
      const expiresAtMs = Date.parse(expires_at);
      // A group that has ended, or is due to, is refused for that, whatever was asked for.
      if (latest !== null && expiresAtMs > Date.parse(latest) && isOpen(loaded))
        throw validationError('expires_at', `the merchant allows no later end than ${latest}`);
      return { type: 'update', expiresAtMs, changesNames: false };
    });
}

/** Cancels a group that is still collecting on its organiser's word: every hold is released and nobody is charged (Q85). */
export function organiserCancel(parts: LedgerParts): (r: RequestOf<Cancel>) => Promise<ResponseOf<Cancel>> {
  return ({ token }) => act(parts, { token, right: 'cancel', step: 'cancel' }, () => ({ type: 'cancel' }));
}

const isOpen = ({ group, nowMs }: Loaded): boolean => isCollecting(group) && nowMs < group.expiresAtMs;

type Act = { readonly token: string; readonly right: OrganiserRight; readonly step: 'update' | 'cancel' };

/**
 * Decides a command of the organiser. It needs no id: repeated, it asks for what is so already, and changes nothing. The
 * link and the right are read together with the group that the decision is made on.
 */
async function act(
  parts: LedgerParts,
  { token, right, step }: Act,
  build: (rights: OrganiserRights, loaded: Loaded) => Command,
): Promise<ResponseOf<Extend>> {
  const groupId = await findGroupOfOrganiser(parts.db, token);
  if (groupId === undefined) throw notFound('group payment');
  await changeGroup(parts, {
    step,
    actor: 'organiser',
    groupId,
    scope: null,
    command: (loaded) => build(needRight(loaded.row, token, right), loaded),
  });
  return findOrganisedGroup(parts.db)({ token });
}
