import type { Mode, OrganiserRight } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findSettings } from '../../db/settings.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/** Returns what organisers may do of payments that are created without saying so; nothing for no organiser (Q83). */
export async function findOrganiserRights(db: Db, merchantId: string, mode: Mode): Promise<OrganiserRight[]> {
  return (await findSettings(db, merchantId, mode)).organiser_rights;
}

/** Sets what organisers may do of such payments; those that exist keep their rights. */
export function setOrganiserRights(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; organiser_rights: OrganiserRight[] }) => Promise<void> {
  const set = setSettings(parts);
  return (actor, { mode, organiser_rights }) => {
    const entry = { action: 'organiser_rights.changed', details: { organiser_rights } };
    return set(actor, { mode, changed: { organiser_rights }, entry });
  };
}
