import type { Mode } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { insertAudit } from '../../db/audit.ts';
import { originFault } from '../../domain/origin.ts';
import { committed } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { changeSettings } from './settings.ts';

/**
 * Registers the web origins whose pages may use session tokens of a mode, replacing those before; the edge is
 * notified within a second. Rejects with `validation_error` naming the invalid origin.
 */
export function setOrigins(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; origins: readonly string[] }) => Promise<string[]> {
  return async (actor, { mode, origins: entered }) => {
    const origins = [...new Set(entered)].sort();
    for (const [index, origin] of entered.entries()) {
      const reason = originFault(origin);
      if (reason !== undefined) throw validationError(`origins.${index}`, reason);
    }
    await committed(parts.db, 'origins', async (tx) => {
      await changeSettings(tx, { merchantId: actor.merchantId, mode }, { allowed_origins: origins });
      await insertAudit(tx, actor, 'origins.changed', { mode, origins });
    });
    parts.wakeRelay();
    return origins;
  };
}
