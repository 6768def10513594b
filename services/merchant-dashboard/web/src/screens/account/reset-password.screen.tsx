import { Button, Stack } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { EmailField } from './fields.tsx';
import { MailSent } from './mail-sent.tsx';
import { PublicPage } from './public-page.tsx';
import { useAct } from './use-act.ts';

/**
 * Requests a link to choose a new password. The response is the same whether the address has an account or not.
 */
export default function ResetPasswordScreen() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { act, isBusy, error, findFault } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await send('/api/password-reset', { method: 'POST', body: { email } });
      setSent(true);
    });
  };
  return (
    <PublicPage
      title={isSent ? 'Check your mail' : 'Choose a new password'}
      lead={isSent ? undefined : 'We send you a link if the address has an account.'}
      elsewhere={[{ text: 'Remembered it?', to: '/login', label: 'Log in' }]}
    >
      {isSent ? (
        <MailSent to={email} onBack={() => setSent(false)} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {error !== undefined && <FailureNote error={error} />}
            <EmailField value={email} onChange={setEmail} error={findFault('email')} />
            <Button type="submit" loading={isBusy}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </PublicPage>
  );
}
