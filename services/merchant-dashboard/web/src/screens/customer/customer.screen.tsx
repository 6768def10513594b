import { Anchor, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { CustomerDetail } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Fact } from '../../parts/fact.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { formatTitle } from '../customers/customer-name.ts';
import { CustomerPayments } from './customer-payments.tsx';

/** Shows one customer: who it is, what became of the payments, and each of them. */
export default function Customer() {
  const { id = '' } = useParams();
  const mode = useMode();
  const customer = useRead<CustomerDetail>(`/customers/${id}`);
  return (
    <Page title={customer.data ? formatTitle(customer.data) : 'Customer'}>
      {customer.isError && <FailureNote error={customer.error} onRetry={() => void customer.refetch()} />}
      {customer.isPending && <Skeleton height={360} role="status" aria-label="Loading" />}
      {customer.data && (
        <>
          <Summary customer={customer.data} />
          <Sums customer={customer.data} />
          <CustomerPayments id={customer.data.id} />
        </>
      )}
      <Anchor component={Link} to={`/${mode}/customers`} mt="md" display="inline-block">
        All customers
      </Anchor>
    </Page>
  );
}

function Summary({ customer }: { customer: CustomerDetail }) {
  return (
    <Section title="Customer">
      <SimpleGrid cols={{ base: 1, sm: 4 }} spacing="sm" component="dl" m={0}>
        <Fact name="E-mail address">
          <span className="address">{customer.email}</span>
        </Fact>
        <Fact name="First payment">
          <Instant at={customer.created_at} />
        </Fact>
        <Fact name="Latest payment">
          <Instant at={customer.last_payment_at} />
        </Fact>
        <Fact name="Id">
          <Identifier id={customer.id} what="id of the customer" />
        </Fact>
      </SimpleGrid>
    </Section>
  );
}

function Sums({ customer: { amounts, payment_counts } }: { customer: CustomerDetail }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing={0}>
        {amounts.map(({ on_hold, captured, refunded }) => (
          <Section key={on_hold.currency} title={`Paid in ${on_hold.currency}`}>
            <SimpleGrid cols={3} component="dl" m={0} spacing="sm">
              <Fact name="On hold now">
                <Amount of={on_hold} />
              </Fact>
              <Fact name="Captured">
                <strong>
                  <Amount of={captured} />
                </strong>
              </Fact>
              <Fact name="Refunded">
                <Amount of={refunded} />
              </Fact>
            </SimpleGrid>
          </Section>
        ))}
      </SimpleGrid>
      <Group component="ul" className="plain-line" aria-label="Payments by state" gap="md" mb="lg">
        {payment_counts.map(({ state, count }) => (
          <Text component="li" size="sm" key={state}>
            {count} <StateBadge state={state} />
          </Text>
        ))}
      </Group>
    </>
  );
}
