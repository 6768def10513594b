import { insertAudit } from '../../db/audit.ts';
import { renameMerchant } from '../../db/merchants.ts';
import { committed } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { changeSettings } from './settings.ts';

/**
 * Gives a merchant another name, in both modes at once (K16). Pages, mails and the widget show it from then on, also those
 * of group payments that exist. Returns whether it is another one: the same name again changes and records nothing.
 */
export function renameBusiness(parts: DashboardParts): (actor: Actor, name: string) => Promise<boolean> {
  return async (actor, name) => {
    const { merchantId } = actor;
    const isOther = await committed(parts.db, 'settings', async (tx) => {
      const from = await renameMerchant(tx, merchantId, name);
      if (from === name) return false;
      // The order in which the loop that publishes names locks the modes.
      for (const mode of ['live', 'test'] as const) await changeSettings(tx, { merchantId, mode }, {});
      await insertAudit(tx, actor, 'business.renamed', { from, to: name });
      return true;
    });
    if (isOther) parts.wakeRelay();
    return isOther;
  };
}
