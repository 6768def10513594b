import { Badge, Button, Group, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Team, TeamMember } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useMay, useMember } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { ScrolledTable } from '../../parts/scrolled-table.tsx';
import { useAct } from '../account/use-act.ts';
import { When } from '../account/when.tsx';
import { ActDialog } from '../keys/key-dialogs.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RoleField, ROLES } from './role-field.tsx';
import { SecondFactorRule, type RunChange } from './second-factor-rule.tsx';

/** Shows the members of the merchant's team and their roles. */
export default function TeamScreen() {
  const mayManage = useMay('team.manage');
  const me = useMember();
  const [isInviting, setInviting] = useTyped('inviting', false);
  const [leaving, setLeaving] = useState<TeamMember>();
  const team = useQuery({ queryKey: ['team'], queryFn: () => send<Team>('/api/team') });
  const { act, error } = useAct();
  const change = (message: string, work: () => Promise<unknown>) =>
    act(async () => {
      await work();
      notifications.show({ message });
      await team.refetch();
    });
  const roles = ROLES.filter(({ value }) => value !== 'owner' || me?.role === 'owner');
  return (
    <Page
      title="Team"
      lead="Give everybody just what they need."
      actions={
        <>
          <Downloads of="team" files={[{ title: 'Team', path: '/api/team/export' }]} />
          {mayManage && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
              Invite somebody
            </Button>
          )}
        </>
      }
    >
      <RoleNote permission="team.manage" to="invite, change and remove members" />
      {error !== undefined && <FailureNote error={error} />}
      {team.isPending && <Skeleton height={180} />}
      {team.isError && <FailureNote error={team.error} onRetry={() => void team.refetch()} />}
      {team.data && (
        <Stack gap="xl">
          <Members
            team={team.data}
            mayManage={mayManage}
            roles={roles}
            change={change}
            onRemove={setLeaving}
          />
          <Invitations team={team.data} mayManage={mayManage} change={change} />
          <SecondFactorRule isRequired={team.data.requires_second_factor} change={change} />
        </Stack>
      )}
      {leaving && (
        <RemoveDialog
          member={leaving}
          onDone={async () => {
            setLeaving(undefined);
            notifications.show({ message: `${leaving.email} is not in the team any more.` });
            await team.refetch();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isInviting && (
        <InviteDialog
          roles={roles}
          onDone={async () => {
            setInviting(false);
            await team.refetch();
          }}
          onClose={() => setInviting(false)}
        />
      )}
    </Page>
  );
}

type MembersProps = {
  readonly team: Team;
  readonly mayManage: boolean;
  readonly roles: typeof ROLES;
  readonly change: RunChange;
  readonly onRemove: (member: TeamMember) => void;
};

function Members({ team, mayManage, roles, change, onRemove }: MembersProps) {
  // Only those who may give a role may take it.
  const mayRemove = ({ is_you, role }: TeamMember) =>
    mayManage && !is_you && roles.some(({ value }) => value === role);
  const hasActions = team.members.some(mayRemove);
  return (
    <ScrolledTable name="Members" minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Who</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>Last seen</Table.Th>
            {hasActions && <Table.Th>Actions</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {team.members.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td>
                <div>
                  <Text fw={600}>
                    {member.email}
                    {member.is_you && ' (you)'}
                  </Text>
                  {member.has_second_factor && (
                    <Badge size="sm" variant="default" leftSection={<Icon name="shield" size={12} />}>
                      Second factor
                    </Badge>
                  )}
                </div>
              </Table.Td>
              <Table.Td data-heading="Role">
                <RoleField
                  member={member}
                  mayChange={mayManage && !member.is_you}
                  roles={roles}
                  change={change}
                />
              </Table.Td>
              <Table.Td data-heading="Last seen">
                {member.last_seen_at ? <When at={member.last_seen_at} /> : 'Never'}
              </Table.Td>
              {hasActions && (
                <Table.Td>
                  {mayRemove(member) && (
                    <Button size="xs" variant="default" onClick={() => onRemove(member)}>
                      Remove<span className="visually-hidden"> {member.email}</span>
                    </Button>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrolledTable>
  );
}

function Invitations({ team, mayManage, change }: Omit<MembersProps, 'roles' | 'onRemove'>) {
  if (team.invitations.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Invited
      </Title>
      <Stack gap="xs">
        {team.invitations.map(({ id, email, role, expires_at }) => (
          <Group key={id} justify="space-between">
            <Text>
              {email} as {role}, until <When at={expires_at} />
            </Text>
            {mayManage && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  void change(`The invitation of ${email} was taken back.`, () =>
                    send(`/api/team/invitations/${id}`, { method: 'DELETE' }),
                  )
                }
              >
                Take back<span className="visually-hidden"> the invitation of {email}</span>
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </section>
  );
}

type InviteProps = {
  readonly roles: typeof ROLES;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
};

function InviteDialog({ roles, onDone, onClose }: InviteProps) {
  const [email, setEmail] = useTyped('e-mail', '');
  const [role, setRole] = useTyped<string>('role', 'developer');
  const act = useAct();
  const invite = () =>
    act.act(async () => {
      await send('/api/team/invitations', { method: 'POST', body: { email, role } });
      notifications.show({ message: `${email} gets a message with a link.` });
      await onDone();
    });
  return (
    <ActDialog title="Invite somebody" verb="Send invitation" act={act} onAct={invite} onClose={onClose}>
      <TextInput
        label="E-mail"
        type="email"
        required
        data-autofocus
        maxLength={320}
        value={email}
        error={act.findFault('email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label="Role"
        data={[...roles]}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value ?? role)}
      />
    </ActDialog>
  );
}
