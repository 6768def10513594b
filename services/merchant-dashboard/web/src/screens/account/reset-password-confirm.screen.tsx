import { Button, Stack } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { NewPasswordField } from './fields.tsx';
import { PublicPage } from './public-page.tsx';
import { tokenOfLink, useAct } from './use-act.ts';

/** The target of a password reset's link. */
export default function ResetPasswordConfirmScreen() {
  const [token] = useState(tokenOfLink);
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  const { act, isBusy, error, findFault } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await send('/api/password-reset/confirm', { method: 'POST', body: { token, password } });
      const note = 'Your password was changed. Log in with the new one.';
      await navigate('/login', { replace: true, state: { note } });
    });
  };
  return (
    <PublicPage
      title="Your new password"
      lead="You are logged out everywhere else."
      elsewhere={[{ text: 'Does the link not work?', to: '/reset-password', label: 'Ask for another' }]}
    >
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && <FailureNote error={error} />}
          <NewPasswordField value={password} onChange={setPassword} error={findFault('password')} />
          <Button type="submit" loading={isBusy}>
            Change password
          </Button>
        </Stack>
      </form>
    </PublicPage>
  );
}
