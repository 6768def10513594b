import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { findGroupOfOrganiser } from '../../db/lookups/find-groups.ts';
import type { Command } from '../../domain/index.ts';
import type { LedgerStep } from '../../fail-points.ts';
import { changeGroup, type LedgerParts } from '../change/change-group.ts';
import { findOrganisedGroup } from './find-groups.ts';

type Extend = typeof contracts.organiserExtend;
type Cancel = typeof contracts.organiserCancel;

/** Moves a group's expiry to a later instant on its organiser's word, no further than the merchant allowed (Q84). */
export function organiserExtend(parts: LedgerParts): (r: RequestOf<Extend>) => Promise<ResponseOf<Extend>> {
  return ({ token, expires_at }) =>
    act(parts, token, 'update', { type: 'organiserExtend', expiresAtMs: Date.parse(expires_at) });
}

/** Cancels a group that is still collecting on its organiser's word: every hold is released and nobody is charged (Q85). */
export function organiserCancel(parts: LedgerParts): (r: RequestOf<Cancel>) => Promise<ResponseOf<Cancel>> {
  return ({ token }) => act(parts, token, 'cancel', { type: 'organiserCancel' });
}

/**
 * Decides a command of the organiser. It needs no id: repeated, it asks for what is so already, and changes nothing. The
 * link is read together with the group that the decision is made on, so a link that is replaced meanwhile is refused.
 */
async function act(
  parts: LedgerParts,
  token: string,
  step: LedgerStep,
  command: Command,
): Promise<ResponseOf<Extend>> {
  const groupId = await findGroupOfOrganiser(parts.db, token);
  if (groupId === undefined) throw notFound('group payment');
  await changeGroup(parts, {
    step,
    actor: 'organiser',
    groupId,
    scope: null,
    command: ({ row }) => {
      if (row.organiser_token !== token) throw notFound('group payment');
      return command;
    },
  });
  return findOrganisedGroup(parts.db)({ token });
}
