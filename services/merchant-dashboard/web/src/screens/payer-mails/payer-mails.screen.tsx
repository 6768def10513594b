import { Anchor, Skeleton, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayerMails } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay, useMember } from '../../shell/session.ts';

/** The switch for mails to payers. */
export default function PayerMailsScreen() {
  const mode = useMode();
  const queries = useQueryClient();
  const queryKey = [mode, 'payer-mails'];
  const setting = useQuery({
    queryKey,
    queryFn: ({ signal }) => send<PayerMails>(`/api/payer-mails?mode=${mode}`, { signal }),
  });
  const save = useMutation({
    mutationFn: (payer_mails: boolean) =>
      send<PayerMails>('/api/payer-mails', { method: 'PUT', body: { mode, payer_mails } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  const mayManage = useMay('branding.manage');
  const mailbox = useMember()?.mailbox;
  return (
    <Page
      title="Mails to payers"
      lead="Your payers hear by mail what became of their payment, in their language."
    >
      <RoleNote permission="branding.manage" to="switch these mails on or off" />
      {setting.isError && <FailureNote error={setting.error} onRetry={() => void setting.refetch()} />}
      {setting.isPending && <Skeleton height={140} role="status" aria-label="Loading" />}
      {setting.data && (
        <Section title="Mails">
          <Switch
            label="Send mails to payers"
            description="When money is held, charged, released or refunded, and before the time to pay is over"
            checked={setting.data.payer_mails}
            disabled={!mayManage || save.isPending}
            onChange={(event) => save.mutate(event.currentTarget.checked)}
          />
          <Text size="sm" c="dimmed" mt="md">
            Each mail names your business and has a receipt, a page of the payment and a link that ends the
            mails. Payments that were started while the switch was off get none.
            {mode === 'test' &&
              ' In test mode the subject begins with “Test”, and the number of mails a day is small.'}
          </Text>
          {!setting.data.is_available && (
            <Text size="sm" mt="md" role="note">
              This installation has no mail server, so nothing is sent. Ask whoever operates it.
            </Text>
          )}
          {setting.data.is_available && mailbox && (
            <Text size="sm" mt="md" role="note">
              This stack is for trying out:{' '}
              <Anchor href={mailbox} underline="always">
                read its mail here
              </Anchor>
              .
            </Text>
          )}
          {save.isError && <FailureNote error={save.error} />}
        </Section>
      )}
    </Page>
  );
}
