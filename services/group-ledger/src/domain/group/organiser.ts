import type { OrganiserRight } from '@gp/contracts';
import type { CommandOf } from '../command.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { cancel } from './expiry.ts';
import type { GroupDraft } from './group-draft.ts';
import { isCollecting, type Group, type Organiser } from './group.ts';
import { invalid, maxLifeMs } from './limits.ts';
import { update } from './update.ts';

/** The field of a creation with the latest expiry that the organiser's extensions may reach. */
export const latestParam = 'organiser.latest_expires_at';

/** How much longer than at first a group may collect where the merchant lets its organiser extend it and names no end. */
const usualExtensionMs = 24 * 60 * 60 * 1_000;

type Times = Pick<Group, 'expiresAtMs' | 'createdAtMs'>;

/**
 * Returns the organiser of a new group, with the latest expiry that an extension may reach, or the reason why the
 * merchant's own one is refused: it must be later than the group's expiry and within seven days of the creation (Q84).
 */
export function grantRights(wanted: Organiser, { expiresAtMs, createdAtMs }: Times): Organiser | string {
  const { may, latestExpiresAtMs: latestMs } = wanted;
  if (!may.includes('extend')) return latestMs === null ? wanted : 'needs the right to extend';
  const endMs = createdAtMs + maxLifeMs;
  if (latestMs === null) return { may, latestExpiresAtMs: Math.min(endMs, expiresAtMs + usualExtensionMs) };
  if (!(latestMs > expiresAtMs)) return 'must be later than expires_at';
  return latestMs > endMs ? 'cannot be more than 7 days in the future' : wanted;
}

/** Returns whether the latest expiry of a creation that names none is cut to seven days from that time (R8). */
export function isLatestCut(wanted: Organiser, { expiresAtMs, createdAtMs }: Times): boolean {
  const isChosen = wanted.may.includes('extend') && wanted.latestExpiresAtMs === null;
  return isChosen && expiresAtMs + usualExtensionMs > createdAtMs + maxLifeMs;
}

/**
 * Extends a group as a merchant would, no further than the latest expiry that its creation fixed (Q84). An instant that the
 * expiry has reached already, in a repetition or because the merchant went further, changes nothing in any state (Q88).
 */
export function organiserExtend(
  draft: GroupDraft,
  { expiresAtMs }: CommandOf<'organiserExtend'>,
): CommandResult {
  const { group } = draft;
  const refusal = refuseRight(group, 'extend');
  if (refusal) return refusal;
  if (expiresAtMs <= group.expiresAtMs) return ignore('nothing_changes');
  const latestMs = group.organiser?.latestExpiresAtMs ?? group.expiresAtMs;
  // A group that has ended is refused for that, whatever was asked for.
  if (isCollecting(group) && expiresAtMs > latestMs)
    return invalid('expires_at', `the merchant allows no later end than ${new Date(latestMs).toISOString()}`);
  return update(draft, { type: 'update', expiresAtMs, changesNames: false });
}

/** Cancels a group as a merchant would, where its creation gave the organiser that right (Q85). */
export function organiserCancel(draft: GroupDraft): CommandResult {
  return refuseRight(draft.group, 'cancel') ?? cancel(draft);
}

function refuseRight({ organiser }: Group, right: OrganiserRight): CommandResult {
  if (organiser?.may.includes(right)) return undefined;
  const message = `the merchant does not let the organiser of this group payment ${right}`;
  return { kind: 'rejected', code: 'insufficient_scope', message };
}
