import { Anchor, NativeSelect, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MoneyChart, WebhookChart } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { Amount } from '../../parts/amount.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Section } from '../../parts/section.tsx';
import { findTone, formatState } from '../../parts/tone.ts';
import { useMode } from '../../shell/mode.ts';
import { MoneyOverTime } from './money-over-time.tsx';
import { WebhookHealth } from './webhook-health.tsx';

/** Shows charts: money held and captured over time, group payments, webhooks. */
export function Charts() {
  const [days, setDays] = useState('30');
  const [currency, setCurrency] = useState<string>();
  const money = useRead<MoneyChart>(`/charts/money?days=${days}`);
  const webhooks = useRead<WebhookChart>('/charts/webhooks?days=7');
  const mode = useMode();
  const all = money.data?.currencies ?? [];
  const shown = all.find((candidate) => candidate.currency === currency) ?? all[0];
  return (
    <>
      <Section
        title="Held and captured"
        actions={
          <>
            {all.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label="Currency"
                data={all.map((one) => one.currency)}
                value={shown?.currency}
                onChange={(event) => setCurrency(event.currentTarget.value)}
              />
            )}
            <NativeSelect
              size="xs"
              aria-label="Period"
              data={[
                { value: '7', label: '7 days' },
                { value: '30', label: '30 days' },
                { value: '90', label: '90 days' },
              ]}
              value={days}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
          </>
        }
      >
        {money.isError && <FailureNote error={money.error} onRetry={() => void money.refetch()} />}
        {money.isPending && <Skeleton height={370} />}
        {shown && (
          <>
            <SimpleGrid cols={3} component="dl" m={0} mb="xs">
              <Total name="Held" part="held" of={shown.totals.held} />
              <Total name="Captured" part="captured" of={shown.totals.captured} />
              <Total name="Refunded" part="refunded" of={shown.totals.refunded} />
            </SimpleGrid>
            <Text size="sm" c="dimmed" mb="md">
              Captured money was held first, so held and captured overlap. What is on hold now is under{' '}
              <Anchor component={Link} to={`/${mode}/money`} inherit underline="always">
                Money
              </Anchor>
              .
            </Text>
            <MoneyOverTime chart={shown} />
          </>
        )}
        {money.data && !shown && (
          <Text c="dimmed" size="sm" py="xl" ta="center">
            No money has moved in this period.
          </Text>
        )}
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title="Group payments">
          {money.data ? <States groups={money.data.groups} /> : <Skeleton height={200} />}
        </Section>
        <Section
          title="Webhook health"
          actions={
            <Anchor component={Link} to={`/${mode}/webhooks`} size="sm">
              Endpoints
            </Anchor>
          }
        >
          {webhooks.isError && <FailureNote error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
          {webhooks.isPending && <Skeleton height={200} />}
          {webhooks.data && <WebhookHealth chart={webhooks.data} />}
        </Section>
      </SimpleGrid>
    </>
  );
}

function Total({ name, part, of }: { name: string; part: string; of: Parameters<typeof Amount>[0]['of'] }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        <span className="legend" data-part={part} />
        {name}
      </Text>
      <Text component="dd" m={0} fz={{ base: 'md', sm: 22 }} fw={650}>
        <Amount of={of} />
      </Text>
    </div>
  );
}

/** Shows the group payments of the period by their current state; each line links to them. */
function States({ groups }: { groups: MoneyChart['groups'] }) {
  const mode = useMode();
  const most = Math.max(1, ...groups.map(({ count }) => count));
  if (groups.length === 0)
    return (
      <Text c="dimmed" size="sm">
        None was made in this period.
      </Text>
    );
  return (
    <ul className="plain-list state-bars" aria-label="Group payments by state">
      {groups.map(({ state, count }) => (
        <li key={state}>
          <Link to={`/${mode}/group-payments?state=${state}`}>
            <span>{formatState(state)}</span>
            <span className="state-bar" aria-hidden>
              <span data-tone={findTone(state)} style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <span>{count}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
