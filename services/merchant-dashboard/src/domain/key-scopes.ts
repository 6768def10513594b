import { KEY_SCOPES, type KeyScope } from '@gp/contracts';
import { may, type Permission, type Role } from './roles.ts';

/**
 * The permission that covers the calls of a key with a scope; no member can make a key that may do more than the member.
 */
const COVERED_BY: Readonly<Record<KeyScope, Permission>> = {
  read: 'read',
  payments: 'test.manage',
  refunds: 'payments.manage',
  webhooks: 'webhooks.manage',
  logs: 'read',
  test_clock: 'test.manage',
};

/** Returns the scopes that a role may give to a key. */
export function listGrantableScopes(role: Role): KeyScope[] {
  return KEY_SCOPES.filter((scope) => may(role, COVERED_BY[scope]));
}

/** Returns the scopes in the form in which they are stored: null for all of them. */
export function normalizeScopes(scopes: readonly KeyScope[]): KeyScope[] | null {
  const chosen = KEY_SCOPES.filter((scope) => scopes.includes(scope));
  return chosen.length === KEY_SCOPES.length ? null : chosen;
}
