import type { Mode } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { originFault } from '../../domain/origin.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/**
 * Registers the web origins whose pages may use session tokens of a mode, replacing those before; the edge is
 * notified within a second. Rejects with `validation_error` naming the invalid origin.
 */
export function setOrigins(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; origins: readonly string[] }) => Promise<string[]> {
  const set = setSettings(parts);
  return async (actor, { mode, origins: entered }) => {
    const origins = [...new Set(entered)].sort();
    for (const [index, origin] of entered.entries()) {
      const reason = originFault(origin);
      if (reason !== undefined) throw validationError(`origins.${index}`, reason);
    }
    const entry = { action: 'origins.changed', details: { origins } };
    await set(actor, { mode, changed: { allowed_origins: origins }, entry });
    return origins;
  };
}
