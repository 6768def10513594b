import type { PspCode } from '@gp/contracts';

type Connection = {
  readonly pspCode: PspCode;
  readonly version: number;
  readonly active: boolean;
  /** Null until the gateway has confirmed the keys. */
  readonly verifiedAt: Date | null;
};

/**
 * Returns whether a version whose keys were just confirmed becomes the active one for new payments: when nothing is
 * active yet, or when it replaces the active version of its own gateway. Secrets that were entered earlier but
 * stored later replace nothing, and secrets that are not confirmed keep nothing from being replaced.
 */
export function becomesActive(
  connected: readonly Connection[],
  entered: Pick<Connection, 'pspCode' | 'version'>,
): boolean {
  const ofTheSame = connected.filter(({ pspCode }) => pspCode === entered.pspCode);
  if (ofTheSame.some(({ version, verifiedAt }) => verifiedAt !== null && version > entered.version))
    return false;
  const active = connected.find((connection) => connection.active);
  return active === undefined || active.pspCode === entered.pspCode;
}

/**
 * Returns the newest version of each gateway, which merchants regard as "the connection": the newest with confirmed
 * keys, where there is one.
 */
export function newestOfEach<C extends Connection>(connected: readonly C[]): C[] {
  const newest = new Map<PspCode, C>();
  for (const connection of connected) {
    const known = newest.get(connection.pspCode);
    if (!known || compareAge(connection, known) > 0) newest.set(connection.pspCode, connection);
  }
  return [...newest.values()];
}

/** Returns whether keys of this gateway wait for the gateway's word, which are newer than those in use. */
export function hasWaitingKeys(connected: readonly Connection[], used: Connection): boolean {
  return connected.some(
    ({ pspCode, version, verifiedAt }) =>
      pspCode === used.pspCode && verifiedAt === null && version >= used.version,
  );
}

/** Sorts connections without confirmed keys before the others, and older versions before newer ones. */
function compareAge(a: Connection, b: Connection): number {
  const byProof = Number(a.verifiedAt !== null) - Number(b.verifiedAt !== null);
  return byProof === 0 ? a.version - b.version : byProof;
}
