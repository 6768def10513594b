import { Button, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type SubmitEvent } from 'react';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { NewPasswordField, PasswordField } from '../account/fields.tsx';
import { useAct } from '../account/use-act.ts';

export function PasswordPart() {
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const { act, isBusy, error } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      const body = { current_password: current, password: wanted };
      await send('/api/profile/password', { method: 'PUT', body });
      setCurrent('');
      setWanted('');
      notifications.show({ message: 'Your password was changed, and you were logged out everywhere else.' });
    });
  };
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Password
      </Title>
      <form onSubmit={submit}>
        <Stack align="stretch">
          {error !== undefined && <FailureNote error={error} />}
          <PasswordField label="Current password" value={current} onChange={setCurrent} />
          <NewPasswordField label="New password" value={wanted} onChange={setWanted} />
          <Button type="submit" variant="default" loading={isBusy}>
            Change password
          </Button>
        </Stack>
      </form>
    </section>
  );
}
