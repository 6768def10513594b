import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { SupportContact } from '../../../../src/http/api.ts';
import { findFieldFault } from '../../api/field-fault.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { readOnlyUnless } from '../../parts/role-note.tsx';
import { contactQuery } from '../../shell/branding.ts';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';

/** Whom payers are told to ask: an e-mail address, a page, or both. */
export function ContactForm({ saved }: { saved: SupportContact }) {
  const mode = useMode();
  const queries = useQueryClient();
  const [email, setEmail] = useTyped('e-mail', saved.support_email ?? '');
  const [page, setPage] = useTyped('page', saved.support_url ?? '');
  const mayManage = useMay('branding.manage');
  const entered: SupportContact = {
    support_email: email.trim() || null,
    support_url: page.trim() || null,
  };
  const save = useMutation({
    mutationFn: () =>
      send<SupportContact>('/api/support-contact', { method: 'PUT', body: { mode, ...entered } }),
    onSuccess: (stored) => queries.setQueryData(contactQuery(mode).queryKey, stored),
  });
  const isSaved = entered.support_email === saved.support_email && entered.support_url === saved.support_url;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          type="email"
          label="E-mail for questions"
          description="Payers see it when they have paid, on the page of their payment and in mails; empty for none"
          placeholder={mayManage ? 'hello@shop.example' : ''}
          maxLength={254}
          {...readOnlyUnless(mayManage)}
          value={email}
          error={findFieldFault(save.error, 'support_email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          type="url"
          label="Help page"
          description="Shown at the same places; empty for none"
          placeholder={mayManage ? 'https://shop.example/help' : ''}
          maxLength={300}
          {...readOnlyUnless(mayManage)}
          value={page}
          error={findFieldFault(save.error, 'support_url')}
          onChange={(event) => setPage(event.currentTarget.value)}
        />
        {mayManage && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={isSaved}>
              Save contact
            </Button>
          </Group>
        )}
        {save.isError && <FailureNote error={save.error} />}
      </Stack>
    </form>
  );
}
