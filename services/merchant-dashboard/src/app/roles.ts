import type { User } from '../db/users.ts';

/** Somebody who is logged in. */
export type Member = User;

const MANAGERS: ReadonlySet<string> = new Set(['owner', 'admin', 'developer']);

/** Whether a role may create keys and connect gateways. */
export function mayManage(role: string): boolean {
  return MANAGERS.has(role);
}
