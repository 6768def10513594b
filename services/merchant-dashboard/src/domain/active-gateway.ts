import type { PspCode } from '@gp/contracts';

type Connection = { readonly pspCode: PspCode; readonly version: number; readonly active: boolean };

/**
 * Returns whether a version that was just connected becomes the active one for new payments: when nothing is
 * active yet, or when it replaces the active version of its own gateway. Secrets that were entered earlier but
 * stored later replace nothing.
 */
export function becomesActive(
  connected: readonly Connection[],
  entered: Pick<Connection, 'pspCode' | 'version'>,
): boolean {
  const ofTheSame = connected.filter(({ pspCode }) => pspCode === entered.pspCode);
  if (ofTheSame.some(({ version }) => version > entered.version)) return false;
  const active = connected.find((connection) => connection.active);
  return active === undefined || active.pspCode === entered.pspCode;
}

/** Returns the newest version of each gateway, which merchants regard as "the connection". */
export function newestOfEach<C extends Connection>(connected: readonly C[]): C[] {
  const newest = new Map<PspCode, C>();
  for (const connection of connected)
    if (connection.version > (newest.get(connection.pspCode)?.version ?? 0))
      newest.set(connection.pspCode, connection);
  return [...newest.values()];
}
