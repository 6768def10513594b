import { SimpleGrid } from '@mantine/core';
import type { Endpoint, EndpointHealth } from '../../../../src/http/api.ts';
import { Fact } from '../../parts/fact.tsx';
import { Distance } from '../../parts/instant.tsx';
import { Section } from '../../parts/section.tsx';
import { Badge } from '../../parts/state-badge.tsx';
import { describeHealth } from '../webhooks/health.ts';
import { WaitingNote } from './waiting-note.tsx';

/** Shows the endpoint's results of the last day, and its waiting deliveries. */
export function Overview({ endpoint, health }: { endpoint: Endpoint; health: EndpointHealth | undefined }) {
  const { tone, words } = describeHealth(health);
  const types = endpoint.event_types;
  return (
    <Section title="Health">
      <WaitingNote endpoint={endpoint} health={health} />
      <SimpleGrid cols={{ base: 2, sm: 5 }} component="dl" m={0}>
        <Fact name="Last 24 hours">
          <Badge tone={tone}>{words}</Badge>
        </Fact>
        <Fact name="Waiting now">{health?.pending ?? 0}</Fact>
        <Fact name="Kept while sending is off">{health?.held ?? 0}</Fact>
        <Fact name="Last acknowledged">
          {health?.last_acknowledged_at ? <Distance to={health.last_acknowledged_at} /> : 'never'}
        </Fact>
        <Fact name="Events">{types.length === 0 ? 'all' : types.join(', ')}</Fact>
      </SimpleGrid>
    </Section>
  );
}
