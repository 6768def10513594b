import type { Loop } from '@gp/service';
import { takeUnverifiedConnections, type GatewayRow } from '../../db/gateways.ts';
import type { DashboardParts } from '../ports.ts';
import { verifyVersion } from './gateways.ts';

const BATCH = 4;
const IDLE_MS = 10_000;

/**
 * Verifies keys again that no gateway could verify when they were entered. Keys that cannot be verified now either stay
 * for the next check.
 */
export function verifyConnections(parts: DashboardParts): Loop {
  return {
    name: 'verify-connections',
    idleMs: IDLE_MS,
    async runOnce() {
      const due = await takeUnverifiedConnections(parts.db, BATCH);
      await Promise.allSettled(due.map((connection) => verify(parts, connection)));
      return due.length === BATCH ? 'busy' : 'idle';
    },
  };
}

const verify = (parts: DashboardParts, { merchantId, mode, pspCode, version }: GatewayRow) =>
  verifyVersion(parts, { merchantId, name: 'platform' }, { mode, pspCode, version });
