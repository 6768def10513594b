import { Box, Button, SimpleGrid, Text } from '@mantine/core';
import type { GroupPaymentOrganiser } from '../../../../src/http/api.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Instant } from '../../parts/instant.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../shell/session.ts';
import { formatRights } from './organiser-rights.ts';
import { RollLinkButton } from './roll-link-button.tsx';

/** Shows what the organiser of a group payment may do, and the organiser's link to members who may hold it. */
export function Organiser({ organiser, groupId }: { organiser: GroupPaymentOrganiser; groupId: string }) {
  const { may, latest_expires_at, organiser_url: url } = organiser;
  const mayReplaceLink = useMay('sessions.revoke');
  const actions = (
    <>
      {url !== undefined && (
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          rightSection={<Icon name="external" size={16} />}
        >
          Organiser’s page
        </Button>
      )}
      {mayReplaceLink && <RollLinkButton link="organiser" groupId={groupId} url={url} />}
    </>
  );
  return (
    <Section title="Organiser" actions={actions}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" component="dl" m={0}>
        <Fact name="May">{formatRights(may)}</Fact>
        {latest_expires_at !== null && (
          <Fact name="May extend until">
            <Instant at={latest_expires_at} />
          </Fact>
        )}
      </SimpleGrid>
      {url === undefined ? (
        <Box mt="sm">
          <RoleNote permission="payments.manage" to="see the organiser’s link" />
        </Box>
      ) : (
        <>
          <Text size="sm" c="dimmed" mt="md" mb="xs">
            Whoever has this link may do this. Give it to one person.
          </Text>
          <CodeBlock text={url} label="organiser’s link" />
        </>
      )}
    </Section>
  );
}
