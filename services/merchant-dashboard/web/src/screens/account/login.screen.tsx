import { Button, Divider, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { LoggedIn } from '../../../../src/http/api.ts';
import { logInByPasskey } from '../../api/passkeys.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { PasskeyButton } from '../../parts/passkey-button.tsx';
import { placeAfterLogin } from '../../shell/places.ts';
import { CodeField, EmailField, PasswordField } from './fields.tsx';
import { PublicPage } from './public-page.tsx';
import { useAct } from './use-act.ts';

type Factors = LoggedIn['second_factors'];

/** Logs a user in by a passkey, or with e-mail and password and the second factor that the user has set up. */
export default function LoginScreen() {
  const [awaited, setAwaited] = useState<Factors>([]);
  const navigate = useNavigate();
  const { search, state } = useLocation() as { search: string; state: unknown };
  const { note, email } = readState(state);
  const enter = async (): Promise<void> => navigate(placeAfterLogin(search), { replace: true });
  if (awaited.length > 0)
    return <SecondStep factors={awaited} onDone={enter} onBack={() => setAwaited([])} />;
  return (
    <PublicPage
      title="Log in"
      elsewhere={[
        { text: 'Forgotten your password?', to: '/reset-password', label: 'Choose a new one' },
        { text: 'New here?', to: '/sign-up', label: 'Create an account' },
      ]}
    >
      {note !== undefined && (
        <Text role="status" size="sm" mb="md">
          {note}
        </Text>
      )}
      <PasswordStep
        known={email}
        onDone={({ second_factor_required, second_factors }) =>
          second_factor_required ? setAwaited(second_factors) : enter()
        }
      />
      <Divider my="md" label="or" />
      <PasskeyButton use={logInByPasskey} onDone={enter} />
    </PublicPage>
  );
}

/** Returns what the page before has to say, such as that a password was changed, and who was logged in there. */
function readState(state: unknown): { readonly note?: string; readonly email?: string } {
  const { note, email } = (state ?? {}) as { note?: unknown; email?: unknown };
  return {
    ...(typeof note === 'string' && { note }),
    ...(typeof email === 'string' && { email }),
  };
}

type PasswordStepProps = {
  /** The address of who was logged in before. */
  readonly known: string | undefined;
  readonly onDone: (answer: LoggedIn) => void | Promise<void>;
};

function PasswordStep({ known = '', onDone }: PasswordStepProps) {
  const [email, setEmail] = useState(known);
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

const LEADS = {
  code: 'Open your authenticator app and type the code it shows.',
  passkey: 'Confirm with one of your passkeys.',
} as const;

type SecondStepProps = { factors: Factors; onDone: () => Promise<void>; onBack: () => void };

function SecondStep({ factors, onDone, onBack }: SecondStepProps) {
  const hasCode = factors.includes('code');
  return (
    <PublicPage title="Second step" lead={LEADS[hasCode ? 'code' : 'passkey']}>
      {hasCode && <CodeForm onDone={onDone} />}
      {factors.length > 1 && <Divider my="md" label="or" />}
      {factors.includes('passkey') && (
        <PasskeyButton use={logInByPasskey} onDone={onDone} isOnlyWay={!hasCode} />
      )}
      <Button variant="subtle" mt="md" fullWidth onClick={onBack}>
        Back to the login
      </Button>
    </PublicPage>
  );
}

function CodeForm({ onDone }: { onDone: () => Promise<void> }) {
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
    <form onSubmit={submit}>
      <Stack>
        {error !== undefined && <FailureNote error={error} />}
        <CodeField value={code} onChange={setCode} />
        <Button type="submit" loading={isBusy}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}
