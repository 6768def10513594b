import { OPERATOR_ROLES, type OperatorRole } from '@gp/contracts';

/** A registered key, and the database's time at which it was read. */
export type StoredKey = {
  readonly name: string;
  readonly role: OperatorRole;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly nowMs: number;
};

export type KeyRefusal = { readonly code: 'unauthorized' | 'insufficient_scope'; readonly message: string };

/**
 * How far the clock of an operator's machine may be from the database's. Machines that ask a time server are within a
 * second of it; a spent proof is remembered for an hour, which has to be longer than twice this.
 */
export const CLOCKS_MAY_DIFFER_MS = 300_000;
const MINUTE_MS = 60_000;

/** Returns why a registered key may not give a command that needs this role and was signed then; undefined when it may (Q67, Q68). */
export function judgeKey(
  stored: StoredKey,
  { needs, signedAtMs }: { needs: OperatorRole; signedAtMs: number },
): KeyRefusal | undefined {
  const { name, role, expiresAtMs, revokedAtMs, nowMs } = stored;
  if (revokedAtMs !== null) return refuse(`the key of ${name} was revoked at ${formatInstant(revokedAtMs)}`);
  if (expiresAtMs !== null && expiresAtMs <= nowMs)
    return refuse(`the key of ${name} expired at ${formatInstant(expiresAtMs)}`);
  const aheadMs = signedAtMs - nowMs;
  if (Math.abs(aheadMs) > CLOCKS_MAY_DIFFER_MS) return refuse(describeClock(aheadMs));
  return judgeRole({ name, role }, needs);
}

/** Returns why a role does not cover what a command needs; undefined when it does. Each role covers those before it. */
export function judgeRole(
  { name, role }: Pick<StoredKey, 'name' | 'role'>,
  needs: OperatorRole,
): KeyRefusal | undefined {
  if (OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needs)) return undefined;
  const message = `the key of ${name} has the role ${role}, and this command needs ${needs}`;
  return { code: 'insufficient_scope', message };
}

function describeClock(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS);
  const way = aheadMs > 0 ? 'ahead of' : 'behind';
  return `the command was signed ${minutes} minutes ${way} the platform’s clock: set the clock of this machine`;
}

const refuse = (message: string): KeyRefusal => ({ code: 'unauthorized', message });
const formatInstant = (ms: number): string => new Date(ms).toISOString();
