import { Anchor, Box, Button, Group, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { CreatedByHand, GroupPaymentDetail } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { QrButton } from '../group-payment/qr-button.tsx';
import { HeldBar } from '../group-payments/held-bar.tsx';

/** Shows the next steps with a group payment that was just created. */
export function Made({ made, onAnother }: { made: CreatedByHand; onAnother: () => void }) {
  const mode = useMode();
  return (
    <Section
      title={mode === 'test' ? 'It is open. Now pay it' : 'It is open. Send its link to those who pay'}
    >
      {mode === 'test' ? <HowToPay /> : <HowToSend />}
      <CodeBlock label="Address of the checkout page" text={made.checkout_url} />
      {made.organiser_url !== undefined && (
        <>
          <Text size="sm" mt="md" mb="xs">
            The organiser has this link instead. Whoever has it has the organiser’s rights.
          </Text>
          <CodeBlock label="organiser’s link" text={made.organiser_url} />
        </>
      )}
      <Group mt="md">
        <Button
          component="a"
          href={made.checkout_url}
          target="_blank"
          rel="noreferrer"
          rightSection={<Icon name="external" size={16} />}
        >
          Open the checkout page
        </Button>
        <Button component={Link} to={`/${mode}/group-payments/${made.id}`} variant="default">
          Watch it here
        </Button>
        <QrButton url={made.checkout_url} name={made.group_name} />
        <Button variant="subtle" onClick={onAnother}>
          Create another
        </Button>
      </Group>
      <Progress id={made.id} />
    </Section>
  );
}

/** How much has come in until now. */
function Progress({ id }: { id: string }) {
  const { data } = useRead<GroupPaymentDetail>(`/group-payments/${id}`);
  return (
    <>
      <Text size="sm" c="dimmed" mt="md" mb="xs">
        Keep this page open beside the checkout page to see holds arrive.
      </Text>
      {data && (
        <Group gap="sm" wrap="nowrap">
          <StateBadge state={data.group_payment.state} />
          <Box flex={1} maw={420}>
            <HeldBar total={data.group_payment.total} money={data.money} />
          </Box>
        </Group>
      )}
    </>
  );
}

const HowToPay = () => (
  <List type="ordered" size="sm" spacing="xs" mb="md">
    <List.Item>Open its checkout page: this is what every participant gets.</List.Item>
    <List.Item>
      Take a slot and pay with the card <code>4242 4242 4242 4242</code>, any future date, any code. (
      <Anchor component={Link} to="/test/sandbox-cards" size="sm">
        Other cards
      </Anchor>{' '}
      are declined or ask for 3-D Secure.)
    </List.Item>
    <List.Item>When every slot is held, all are captured at once.</List.Item>
  </List>
);

const HowToSend = () => (
  <Text size="sm" mb="md">
    Everybody pays with the same link. Cards are only held at first; when every slot is held, all are captured
    at once. You can cancel the bill on its page until then.
  </Text>
);
