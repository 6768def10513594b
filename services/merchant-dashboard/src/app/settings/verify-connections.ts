import type { Loop } from '@gp/service';
import { takeUnverifiedConnections, type GatewayRow } from '../../db/gateways.ts';
import type { DashboardParts } from '../ports.ts';
import { verifyVersion } from './gateways.ts';

const BATCH = 4;
const IDLE_MS = 10_000;

/**
 * Asks gateways again about the keys that they could not be asked about when they were entered. What cannot be asked
 * about now stays for the next check.
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
