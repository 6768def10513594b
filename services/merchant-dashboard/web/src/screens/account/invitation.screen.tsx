import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationOffer } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { NewPasswordField } from './fields.tsx';
import { PublicPage } from './public-page.tsx';
import { tokenOfLink, useAct } from './use-act.ts';
import { useLoaded } from './use-loaded.ts';

/** The target of an invitation's link: shows the offer and asks for a password. */
export default function InvitationScreen() {
  const [token] = useState(tokenOfLink);
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  const { act, isBusy, error, findFault } = useAct();
  const offer = useLoaded<InvitationOffer | null>((signal) =>
    token === ''
      ? Promise.resolve(null)
      : send('/api/invitations/look', { method: 'POST', body: { token }, signal }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await send('/api/invitations/accept', { method: 'POST', body: { token, password } });
      await navigate('/test', { replace: true });
    });
  };
  if (offer === undefined)
    return (
      <PublicPage title="Your invitation">
        <Skeleton height={160} />
      </PublicPage>
    );
  if (offer === null)
    return (
      <PublicPage
        title="This invitation is over"
        elsewhere={[{ text: 'Have an account?', to: '/login', label: 'Log in' }]}
      >
        <Text>
          It was accepted, taken back, or is older than seven days. Ask whoever invited you for another.
        </Text>
      </PublicPage>
    );
  const { merchant_name, email, role } = offer;
  return (
    <PublicPage title={`Join ${merchant_name}`} lead={`You are invited as ${role}, with ${email}.`}>
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && <FailureNote error={error} />}
          <NewPasswordField value={password} onChange={setPassword} error={findFault('password')} />
          <Button type="submit" loading={isBusy}>
            Accept
          </Button>
        </Stack>
      </form>
    </PublicPage>
  );
}
