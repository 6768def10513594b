import { Stack } from '@mantine/core';
import { useMember } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { PasswordPart } from './password-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionsPart } from './sessions-part.tsx';

/** What somebody looks after about themselves: password, second factor, where they are logged in. */
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
