import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findSettings } from '../../db/settings.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/** Returns whether payers of a merchant get mails about their payments in a mode. */
export async function findPayerMails(db: Db, merchantId: string, mode: Mode): Promise<boolean> {
  return (await findSettings(db, merchantId, mode)).payer_mails;
}

/** Switches mails to payers on or off; mails that are due when they are switched off are not sent (Q77). */
export function setPayerMails(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; payer_mails: boolean }) => Promise<void> {
  const set = setSettings(parts);
  return (actor, { mode, payer_mails }) => {
    const entry = { action: 'payer_mails.changed', details: { payer_mails } };
    return set(actor, { mode, changed: { payer_mails }, entry });
  };
}
