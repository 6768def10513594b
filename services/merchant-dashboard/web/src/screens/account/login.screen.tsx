import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { LoggedIn } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { placeAfterLogin } from '../../shell/places.ts';
import { CodeField, EmailField, PasswordField } from './fields.tsx';
import { PublicPage } from './public-page.tsx';
import { useAct } from './use-act.ts';

/** Logs a user in with e-mail and password, and with a code for a user who has set up a second factor. */
export default function LoginScreen() {
  const [needsCode, setNeedsCode] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const enter = async (): Promise<void> => {
    queries.clear();
    await navigate(placeAfterLogin(search), { replace: true });
  };
  if (needsCode) return <CodeStep onDone={enter} />;
  return (
    <PublicPage
      title="Log in"
      elsewhere={[
        { text: 'Forgotten your password?', to: '/reset-password', label: 'Choose a new one' },
        { text: 'New here?', to: '/sign-up', label: 'Create an account' },
      ]}
    >
      <PasswordStep onDone={(answer) => (answer.second_factor_required ? setNeedsCode(true) : enter())} />
    </PublicPage>
  );
}

function PasswordStep({ onDone }: { onDone: (answer: LoggedIn) => void | Promise<void> }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { act, isBusy, error } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () =>
      onDone(await send<LoggedIn>('/api/login', { method: 'POST', body: { email, password } })),
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {error !== undefined && <FailureNote error={error} />}
        <EmailField value={email} onChange={setEmail} />
        <PasswordField value={password} onChange={setPassword} />
        <Button type="submit" loading={isBusy}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}

function CodeStep({ onDone }: { onDone: () => Promise<void> }) {
  const [code, setCode] = useState('');
  const { act, isBusy, error } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await send('/api/login/second-factor', { method: 'POST', body: { code } });
      await onDone();
    });
  };
  return (
    <PublicPage title="Second step" lead="Open your authenticator app and type the code it shows.">
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && <FailureNote error={error} />}
          <CodeField value={code} onChange={setCode} />
          <Button type="submit" loading={isBusy}>
            Continue
          </Button>
        </Stack>
      </form>
    </PublicPage>
  );
}
