/** The roles of members of a merchant's team. */
export const ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Permissions by role, defined only here. Routes name a permission, and pages hide what a role does not permit.
 * Every member of the team may read everything except the audit log.
 */
const table = {
  read: ['owner', 'admin', 'developer', 'support', 'viewer'],
  /** A user's own account: open also to a member who still has to add a second factor. */
  'account.manage': ['owner', 'admin', 'developer', 'support', 'viewer'],
  'audit.read': ['owner', 'admin'],
  'keys.manage': ['owner', 'admin', 'developer'],
  'gateways.manage': ['owner', 'admin', 'developer'],
  /** Beside `keys.manage` and `gateways.manage`, for what acts on real money. */
  'live_keys.manage': ['owner', 'admin'],
  'live_gateways.manage': ['owner', 'admin'],
  'branding.manage': ['owner', 'admin', 'developer'],
  /** The name of the merchant, which payers read as the payee. */
  'business_name.manage': ['owner', 'admin'],
  'webhooks.manage': ['owner', 'admin', 'developer'],
  'webhooks.resend': ['owner', 'admin', 'developer', 'support'],
  'payments.manage': ['owner', 'admin', 'support'],
  /** Creating group payments by hand in live mode, where payers are charged; in test mode it is `test.manage`. */
  'payment_links.create': ['owner', 'admin', 'support'],
  'sessions.revoke': ['owner', 'admin', 'developer', 'support'],
  'test.manage': ['owner', 'admin', 'developer', 'support'],
  'team.manage': ['owner', 'admin'],
  'team.rule': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof table;
export const PERMISSIONS = Object.keys(table) as readonly Permission[];

/** Returns whether a role has a permission. */
export function may(role: Role, permission: Permission): boolean {
  return (table[permission] as readonly Role[]).includes(role);
}

/** Returns the roles that have a permission. */
export function listRoles(permission: Permission): readonly Role[] {
  return table[permission];
}

/** Returns all permissions of a role. */
export function listPermissions(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission));
}

/** Returns whether a member may hold an organiser's link: its holder may cancel. */
export function mayHoldOrganisersLink({ role }: { readonly role: Role }): boolean {
  return may(role, 'payments.manage');
}

/** Returns whether `actor` may give or take `role`: only owners may give or take the role of owner. */
export function mayAssign(actor: Role, role: Role): boolean {
  return may(actor, 'team.manage') && (role !== 'owner' || actor === 'owner');
}
