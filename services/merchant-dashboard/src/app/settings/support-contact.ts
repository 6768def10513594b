import type { Mode } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { findSettings } from '../../db/settings.ts';
import { readSupportUrl } from '../../domain/support-url.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/** Whom the payers of a merchant may ask in a mode; null stands for nobody. */
export type SupportContact = { readonly support_email: string | null; readonly support_url: string | null };

/** Returns whom the payers of a merchant may ask in a mode. */
export async function findSupportContact(db: Db, merchantId: string, mode: Mode): Promise<SupportContact> {
  const { support_email, support_url } = await findSettings(db, merchantId, mode);
  return { support_email: support_email || null, support_url: support_url || null };
}

/**
 * Sets whom payers may ask, and returns it as it is stored. Rejects with `validation_error` for a page that is not of
 * `https:`, names a user, or is on no host of the internet.
 */
export function setSupportContact(
  parts: DashboardParts,
): (actor: Actor, o: SupportContact & { readonly mode: Mode }) => Promise<SupportContact> {
  const set = setSettings(parts);
  return async (actor, { mode, support_email, support_url: entered }) => {
    const support_url = entered === null ? null : readPage(entered);
    const details = { support_email, support_url };
    const entry = { action: 'support_contact.changed', details };
    const changed = { support_email: support_email ?? '', support_url: support_url ?? '' };
    await set(actor, { mode, changed, entry });
    return details;
  };
}

function readPage(entered: string): string {
  const read = readSupportUrl(entered);
  if ('fault' in read) throw validationError('support_url', read.fault);
  return read.url;
}
