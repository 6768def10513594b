import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { listRoles, type Permission, type Role } from '../../../src/domain/roles.ts';
import { useMay } from '../shell/session.ts';
import { EmptyState } from './empty-state.tsx';
import { Icon } from './icon.tsx';

const PLURALS: Readonly<Record<Role, string>> = {
  owner: 'owners',
  admin: 'admins',
  developer: 'developers',
  support: 'support',
  viewer: 'viewers',
};
const LIST = new Intl.ListFormat('en-GB');

/** Returns the roles that have a permission, in words such as `owners, admins and support`. */
export function nameRoles(permission: Permission): string {
  return LIST.format(listRoles(permission).map((role) => PLURALS[role]));
}

type Props = {
  readonly permission: Permission;
  /** What the permission allows, such as `create a key`. */
  readonly to: string;
};

/** Says who may do something, and whom to ask; shows nothing to members who may do it. */
export function RoleNote({ permission, to }: Props) {
  if (useMay(permission)) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      mb="lg"
      role="note"
      icon={<Icon name="shield" />}
      title={`Only ${nameRoles(permission)} can ${to}`}
    >
      Ask one of them, or an owner to change your role.
    </Alert>
  );
}

/** Says the same in place of a screen that is of no use without the permission; `children` say what it is for. */
export function ForOtherRoles({ permission, to, children }: Props & { readonly children?: ReactNode }) {
  return (
    <EmptyState icon="shield" title={`For ${nameRoles(permission)}`}>
      {children} Ask one of them to {to}, or an owner to change your role.
    </EmptyState>
  );
}

/** Properties of a text field that can be read, selected and copied, but not changed; none where it can be changed. */
export const readOnlyUnless = (mayChange: boolean) =>
  mayChange ? {} : ({ readOnly: true, variant: 'filled' } as const);
