import { List, SimpleGrid, Text, Title } from '@mantine/core';
import type { Card } from '../../gateway-kind.ts';
import { CARDS } from '../../gateways.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';

/** Returns a card number in groups of four digits. */
const inFours = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

const FAULTS = JSON.stringify({ metadata: { sandbox_fault: 'capture:http_500:2,callback:lose' } }, null, 2);

/** Shows the cards and amounts that have a special effect at the sandbox's gateways. */
export default function SandboxCards() {
  return (
    <Page
      title="Sandbox cards"
      lead="In test mode everything is real but the money. The card decides what happens."
    >
      {CARDS.map(({ gateways, approved, challenged, declined, notes }) => (
        <Section key={gateways} title={gateways}>
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
            <Column title="Approved" cards={approved} />
            <Column title="With 3-D Secure" cards={challenged} />
            <Column title="Declined" cards={declined} />
          </SimpleGrid>
          <List size="sm" mt="md">
            {notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Section>
      ))}
      <Section title="Faults on purpose">
        <Text size="sm" mb="sm">
          Put sandbox_fault into the metadata of a group payment or a slot, and its payments meet that fault:
          an operation (prepare, authorise, capture, void, refund, query, callback), a fault (decline, delay,
          timeout, http_500, lose and others) and how often.
        </Text>
        <CodeBlock label="Metadata with a fault" text={FAULTS} />
      </Section>
    </Page>
  );
}

function Column({ title, cards }: { title: string; cards: readonly Card[] }) {
  return (
    <div>
      <Title order={3} size="h5">
        {title}
      </Title>
      <ul className="plain-list" aria-label={title}>
        {cards.map(({ number, outcome }) => (
          <li key={number} className="card-line">
            <span>
              <code className="card-number">{inFours(number)}</code>
              <Text size="xs" c="dimmed">
                {outcome}
              </Text>
            </span>
            <Copy text={number} what={`card ${inFours(number)}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
