import { Stack } from '@mantine/core';
import { useMember } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { PasskeysPart } from './passkeys-part.tsx';
import { PasswordPart } from './password-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionsPart } from './sessions-part.tsx';

/** Shows the user's own settings: second factor, passkeys, password, sessions. */
export default function ProfileScreen() {
  const me = useMember();
  return (
    <Page title="Profile" lead={me && `${me.email}, ${me.role} of ${me.merchant_name}`}>
      <Stack gap="xl" maw={640}>
        <SecondFactorPart />
        <PasskeysPart />
        <PasswordPart />
        <SessionsPart />
      </Stack>
    </Page>
  );
}
