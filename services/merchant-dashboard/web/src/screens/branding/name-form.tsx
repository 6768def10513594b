import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { BusinessName } from '../../../../src/http/api.ts';
import { findFieldFault } from '../../api/field-fault.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { readOnlyUnless, RoleNote } from '../../parts/role-note.tsx';
import { memberQuery, useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';

/** Changes the name of the business, which payers read as the payee. */
export function NameForm({ saved }: { saved: string }) {
  const [entered, setEntered] = useTyped('name', saved);
  const queries = useQueryClient();
  const mayManage = useMay('business_name.manage');
  const save = useMutation({
    mutationFn: (business_name: string) =>
      send<BusinessName>('/api/business-name', { method: 'PUT', body: { business_name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: memberQuery.queryKey }),
  });
  const name = entered.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(name);
  };
  return (
    <form onSubmit={submit}>
      <RoleNote permission="business_name.manage" to="rename the business" />
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Business name"
          description="In test and live mode, on pages and in mails, for open payments too"
          required={mayManage}
          maxLength={100}
          flex={1}
          miw={200}
          {...readOnlyUnless(mayManage)}
          value={entered}
          error={findFieldFault(save.error, 'business_name')}
          onChange={(event) => setEntered(event.currentTarget.value)}
        />
        {mayManage && (
          <Button type="submit" loading={save.isPending} disabled={name === '' || name === saved}>
            Rename
          </Button>
        )}
      </Group>
      {save.isError && <FailureNote error={save.error} />}
    </form>
  );
}
