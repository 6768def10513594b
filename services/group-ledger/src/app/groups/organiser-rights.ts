import type { OrganiserRight, OrganiserRights } from '@gp/contracts';
import { AppError, notFound, validationError } from '@gp/errors';
import type { GroupJson } from '../../db/group/group.row.ts';
import { maxLifeMs, type Group } from '../../domain/index.ts';

/** The field of a creation with that instant. */
export const LATEST_PARAM = 'organiser.latest_expires_at';

/** How much longer than at first a group may collect where the merchant lets its organiser extend it and names no end. */
const USUAL_EXTENSION_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the rights of the organiser of a new group, with the latest expiry that an extension may reach. Throws
 * validation_error for one that is not later than the group's own, or more than seven days after the creation (Q84).
 */
export function grantRights(
  { may, latest_expires_at: wanted }: OrganiserRights,
  { expiresAtMs, createdAtMs }: Pick<Group, 'expiresAtMs' | 'createdAtMs'>,
): OrganiserRights {
  if (!may.includes('extend')) {
    if (wanted === null) return { may, latest_expires_at: null };
    throw refuseLatest('needs the right to extend');
  }
  const endMs = createdAtMs + maxLifeMs;
  const latestMs = wanted === null ? Math.min(endMs, expiresAtMs + USUAL_EXTENSION_MS) : Date.parse(wanted);
  if (wanted !== null && latestMs <= expiresAtMs) throw refuseLatest('must be later than expires_at');
  if (latestMs > endMs) throw refuseLatest('cannot be more than 7 days in the future');
  return { may, latest_expires_at: new Date(latestMs).toISOString() };
}

const refuseLatest = (reason: string): AppError => validationError(LATEST_PARAM, reason);

/**
 * Returns whether the latest expiry of a creation that names none is cut to seven days from this time, which may not be the
 * merchant's (R8).
 */
export function isLatestCut(
  { organiser, expires_at }: { readonly organiser?: OrganiserRights; readonly expires_at: string },
  nowMs: number,
): boolean {
  const isChosen = organiser?.may.includes('extend') === true && organiser.latest_expires_at === null;
  return isChosen && Date.parse(expires_at) + USUAL_EXTENSION_MS > nowMs + maxLifeMs;
}

/** Throws not_found for a link that was replaced meanwhile, and insufficient_scope where the merchant did not give the right. */
export function needRight(row: GroupJson, token: string, right: OrganiserRight): OrganiserRights {
  const { organiser_token, organiser_rights: rights } = row;
  if (organiser_token !== token || rights === null) throw notFound('group payment');
  if (!rights.may.includes(right))
    throw new AppError('insufficient_scope', {
      message: `the merchant does not let the organiser of this group payment ${right}`,
    });
  return rights;
}
