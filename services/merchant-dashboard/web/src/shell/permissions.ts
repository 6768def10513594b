import type { Permission } from '../../../src/http/api.ts';
import type { Mode } from './mode.ts';

const BY_MODE = {
  keys: { test: 'keys.manage', live: 'live_keys.manage' },
  gateways: { test: 'gateways.manage', live: 'live_gateways.manage' },
  /** Creating group payments by hand. */
  payments: { test: 'test.manage', live: 'payment_links.create' },
} as const satisfies Record<string, Readonly<Record<Mode, Permission>>>;

/** Returns the permission to change something in a mode. */
export function permissionFor(what: keyof typeof BY_MODE, mode: Mode): Permission {
  return BY_MODE[what][mode];
}
