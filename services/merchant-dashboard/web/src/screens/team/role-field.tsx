import { Select, Text } from '@mantine/core';
import type { Role, TeamMember } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import type { RunChange } from './second-factor-rule.tsx';

/** The roles of a team, with what each may do. */
export const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'owner', label: 'Owner: everything, owners too' },
  { value: 'admin', label: 'Admin: everything but owners' },
  { value: 'developer', label: 'Developer: webhooks, and keys and gateways of test mode' },
  { value: 'support', label: 'Support: payments by hand, refunds, cancelling, resending' },
  { value: 'viewer', label: 'Viewer: looks, changes nothing' },
];

type Props = {
  readonly member: TeamMember;
  readonly mayChange: boolean;
  /** The roles that the user may give. */
  readonly roles: typeof ROLES;
  readonly change: RunChange;
};

/** The role of a member; a choice for those who may change it. */
export function RoleField({ member, mayChange, roles, change }: Props) {
  const isOffered = roles.some(({ value }) => value === member.role);
  if (!mayChange || !isOffered) return <Text tt="capitalize">{member.role}</Text>;
  return (
    <Select
      aria-label={`Role of ${member.email}`}
      data={[...roles]}
      value={member.role}
      allowDeselect={false}
      onChange={(role) =>
        role &&
        void change(`${member.email} has a new role and has to log in again.`, () =>
          send(`/api/team/members/${member.id}`, { method: 'PUT', body: { role } }),
        )
      }
    />
  );
}
