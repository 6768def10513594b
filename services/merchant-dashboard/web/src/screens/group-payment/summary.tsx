import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { GroupPaymentDetail } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { DistanceFromNow } from '../../parts/clock.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Badge } from '../../parts/state-badge.tsx';
import { HeldBar } from '../group-payments/held-bar.tsx';
import { outlivesHolds } from '../group-payments/long-lived.ts';
import { isDecidedByExpiry } from '../group-payments/states.ts';

/** Shows the money first, then the payment's references in other systems. */
export function Summary({ detail }: { detail: GroupPaymentDetail }) {
  const { group_payment: group, money, capture_at_expiry: minimum, max_tip: maxTip } = detail;
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} mb="lg">
      <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md" component="dl" m={0}>
        <Figure name="Total">
          <Amount of={group.total} />
        </Figure>
        <Figure name="On hold" part="held">
          <Amount of={money.held} />
        </Figure>
        <Figure name={money.refunded.minor === '0' ? 'Captured' : 'Captured, not refunded'} part="captured">
          <Amount of={money.captured} />
        </Figure>
        <Figure name="Refunded">
          <Amount of={money.refunded} />
        </Figure>
      </SimpleGrid>
      <HeldBar total={group.total} money={money} />
      <SimpleGrid cols={{ base: 1, sm: 4 }} mt="lg" spacing="sm" component="dl" m={0}>
        <Fact name="Created">
          <Instant at={group.created_at} />
        </Fact>
        <Fact name="Expires">
          <Instant at={group.expires_at} />{' '}
          {isDecidedByExpiry(group) && (
            <>
              (<DistanceFromNow to={group.expires_at} />){' '}
            </>
          )}
          {outlivesHolds(group) && <LongLived />}
        </Fact>
        {minimum && (
          <Fact name="When time runs out">
            captured from{' '}
            {'minimum_slots' in minimum ? (
              `${minimum.minimum_slots} held ${minimum.minimum_slots === 1 ? 'slot' : 'slots'}`
            ) : (
              <Amount of={minimum.minimum_amount} />
            )}{' '}
            on
          </Fact>
        )}
        {maxTip && (
          <Fact name="Tips">
            up to <Amount of={maxTip} /> for each payment
          </Fact>
        )}
        <Fact name="Order number">
          <Group gap={4}>
            {group.merchant_order_id}
            <Copy text={group.merchant_order_id} what="order number" />
          </Group>
        </Fact>
        <Fact name="Link for payers">
          <Group gap={4} wrap="nowrap">
            <code className="identifier" title={group.checkout_url}>
              {group.checkout_url}
            </code>
            <Copy text={group.checkout_url} what="link for payers" />
          </Group>
        </Fact>
        {group.client_reference !== null && (
          <Fact name="Your reference">
            <Group gap={4}>
              {group.client_reference}
              <Copy text={group.client_reference} what="your reference" />
            </Group>
          </Fact>
        )}
        <Fact name="Id">
          <Identifier id={group.id} what="id of the group payment" />
        </Fact>
      </SimpleGrid>
    </Paper>
  );
}

/** Merchants choose such times without knowing that holds on cards do not last that long. */
const LongLived = () => (
  <Badge tone="warn" title="Cards are held for seven days: who pays early may have to pay again.">
    longer than cards are held
  </Badge>
);

function Figure({ name, part, children }: { name: string; part?: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {part && <span className="legend" data-part={part} />}
        {name}
      </Text>
      <Text component="dd" m={0} fz={{ base: 'lg', sm: 22 }} fw={650}>
        {children}
      </Text>
    </div>
  );
}
