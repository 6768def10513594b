import { Skeleton, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrganiserRight, UsualOrganiser } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RightsField } from '../../parts/rights-field.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { useUsualOrganiser } from './usual-organiser.ts';

/** What organisers may do of payments that are created without saying so. */
export default function OrganisersScreen() {
  const mode = useMode();
  const queries = useQueryClient();
  const { setting, queryKey } = useUsualOrganiser();
  const save = useMutation({
    // One after the other: the last choice is the one that is kept.
    scope: { id: 'organiser-rights' },
    mutationFn: (organiser_rights: OrganiserRight[]) =>
      send<UsualOrganiser>('/api/organiser-rights', { method: 'PUT', body: { mode, organiser_rights } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  const mayManage = useMay('branding.manage');
  return (
    <Page
      title="Organisers"
      lead="An organiser has a second link, which shows who is missing and leads to paying what is left."
    >
      <RoleNote permission="branding.manage" to="change what organisers may do" />
      {setting.isError && <FailureNote error={setting.error} onRetry={() => void setting.refetch()} />}
      {setting.isPending && <Skeleton height={140} role="status" aria-label="Loading" />}
      {setting.data && (
        <Section title="By default">
          <RightsField
            label="An organiser may"
            description="For every payment that your server creates without organiser"
            value={save.isPending ? save.variables : setting.data.organiser_rights}
            disabled={!mayManage}
            onChange={(may) => save.mutate(may)}
          />
          <Text size="sm" c="dimmed" mt="md">
            With none of these, such payments have no organiser. Payments that exist keep the rights of their
            creation. A creation that names rights, or null for no organiser, is not changed by this.
          </Text>
          {save.isError && <FailureNote error={save.error} />}
        </Section>
      )}
    </Page>
  );
}
