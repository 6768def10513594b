import { Stack } from '@mantine/core';
import { useMember } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { PasswordPart } from './password-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionsPart } from './sessions-part.tsx';

/** Shows the user's own settings: password, second factor, sessions. */
export default function ProfileScreen() {
  const me = useMember();
  return (
    <Page title="Profile" lead={me && `${me.email}, ${me.role} of ${me.merchant_name}`}>
      <Stack gap="xl" maw={640}>
        <SecondFactorPart />
        <PasswordPart />
        <SessionsPart />
      </Stack>
    </Page>
  );
}
