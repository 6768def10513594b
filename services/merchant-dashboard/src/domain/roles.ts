/** What members of a merchant's team may be. */
export const ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who may do what: the only place that says so. Routes name a permission, pages hide what it does not give; reading is
 * everybody's who is in the team, but for the audit log.
 */
const table = {
  read: ['owner', 'admin', 'developer', 'support', 'viewer'],
  'audit.read': ['owner', 'admin'],
  'keys.manage': ['owner', 'admin', 'developer'],
  'gateways.manage': ['owner', 'admin', 'developer'],
  'webhooks.manage': ['owner', 'admin', 'developer'],
  'webhooks.resend': ['owner', 'admin', 'developer', 'support'],
  'payments.manage': ['owner', 'admin', 'support'],
  'sessions.revoke': ['owner', 'admin', 'developer', 'support'],
  'test.manage': ['owner', 'admin', 'developer', 'support'],
  'team.manage': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof table;
export const PERMISSIONS = Object.keys(table) as readonly Permission[];

/** Whether a role has a permission. */
export function may(role: Role, permission: Permission): boolean {
  return (table[permission] as readonly Role[]).includes(role);
}

/** Everything a role may do. */
export function permissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission));
}

/** Whether `actor` may give or take `role`: only owners make and unmake owners. */
export function mayAssign(actor: Role, role: Role): boolean {
  return may(actor, 'team.manage') && (role !== 'owner' || actor === 'owner');
}
