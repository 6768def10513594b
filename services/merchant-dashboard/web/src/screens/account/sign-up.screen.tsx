import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { EmailField, NewPasswordField } from './fields.tsx';
import { MailSent } from './mail-sent.tsx';
import { PublicPage } from './public-page.tsx';
import { useAct } from './use-act.ts';

/** Signs a new merchant up with its owner. The response is the same whether the address has an account or not. */
export default function SignUpScreen() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isSent, setSent] = useState(false);
  const { act, isBusy, error, findFault } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { merchant_name: name, email, password };
    void act(async () => {
      await send('/api/signup', { method: 'POST', body });
      setSent(true);
    });
  };
  return (
    <PublicPage
      title={isSent ? 'Check your mail' : 'Create your account'}
      lead={isSent ? undefined : 'Free to try: everything works in test mode, without real money.'}
      elsewhere={[{ text: 'Have an account?', to: '/login', label: 'Log in' }]}
    >
      {isSent ? (
        <MailSent to={email} onBack={() => setSent(false)} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {error !== undefined && <FailureNote error={error} />}
            <TextInput
              label="Business name"
              description="Your participants see it when they pay."
              name="organization"
              autoComplete="organization"
              required
              maxLength={100}
              value={name}
              error={findFault('merchant_name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <EmailField value={email} onChange={setEmail} error={findFault('email')} />
            <NewPasswordField value={password} onChange={setPassword} error={findFault('password')} />
            <Button type="submit" loading={isBusy}>
              Create account
            </Button>
          </Stack>
        </form>
      )}
    </PublicPage>
  );
}
