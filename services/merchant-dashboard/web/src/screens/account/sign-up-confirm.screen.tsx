import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { PublicPage } from './public-page.tsx';
import { tokenOfLink, useAct } from './use-act.ts';

/** The target of a sign-up's link. It asks for a click, because programs that scan mail follow links, too. */
export default function SignUpConfirmScreen() {
  const [token] = useState(tokenOfLink);
  const navigate = useNavigate();
  const { act, isBusy, error } = useAct();
  const confirm = () =>
    act(async () => {
      await send('/api/signup/confirm', { method: 'POST', body: { token } });
      await navigate('/test', { replace: true });
    });
  return (
    <PublicPage
      title="One click left"
      elsewhere={[{ text: 'Does the link not work?', to: '/sign-up', label: 'Sign up again' }]}
    >
      <Stack>
        {error !== undefined && <FailureNote error={error} />}
        <Text>Your e-mail address is confirmed as soon as you open your dashboard.</Text>
        <Button loading={isBusy} onClick={() => void confirm()}>
          Open my dashboard
        </Button>
      </Stack>
    </PublicPage>
  );
}
