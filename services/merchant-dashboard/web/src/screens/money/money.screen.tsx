import { Anchor, Group, NativeSelect, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { BalancePage, StatementPage } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { useMode } from '../../shell/mode.ts';
import { Balances } from './balances.tsx';
import { findFirstDay, findMonth, formatMonth, isMonth, listMonths } from './months.ts';
import { Statement } from './statement.tsx';
import { DEVICE_ZONE, ZONES } from './zones.ts';

const FILTERS = ['month', 'time_zone'] as const;

/** Shows how the money stands now, and the statement of a month. */
export default function MoneyScreen() {
  const balance = useRead<BalancePage>('/balance');
  const balances = balance.data?.balances;
  return (
    <Page title="Money" lead="What is on hold, captured, refunded and reversed, by gateway and currency.">
      {balance.isError && <FailureNote error={balance.error} onRetry={() => void balance.refetch()} />}
      {balance.isPending && <Skeleton height={220} role="status" aria-label="Loading" />}
      {balances?.length === 0 && (
        <EmptyState icon="coins" title="No money yet">
          Once a payer holds a share, it stands here, with what was captured and refunded on each day, to
          download for your accountant.
        </EmptyState>
      )}
      {balances && balances.length > 0 && (
        <>
          <Balances balances={balances} />
          <Month />
        </>
      )}
    </Page>
  );
}

/**
 * Shows the statement of a month in a time zone, both of which the address names: without them it is the current month of the
 * merchant's time in the zone of the device.
 */
function Month() {
  const mode = useMode();
  const { filters, set } = useFilters(FILTERS);
  const timeZone = filters.time_zone || DEVICE_ZONE;
  const query = formatQuery({
    from: isMonth(filters.month) ? findFirstDay(filters.month) : undefined,
    time_zone: timeZone,
  });
  const statement = useRead<StatementPage>(`/statement${query}`);
  const { data } = statement;
  const shown = data && findMonth(data.from);
  const movements = ({ from, to, time_zone }: StatementPage) =>
    `/${mode}/money/movements${formatQuery({ from, to, time_zone })}`;
  return (
    <>
      <Group justify="space-between" align="flex-end" gap="sm" mb="md">
        <Title order={2} size="h4">
          Statement
        </Title>
        <Group gap="sm" align="flex-end">
          {shown && (
            <NativeSelect
              label="Month"
              size="xs"
              data={listMonths(new Date(), shown).map((month) => ({
                value: month,
                label: formatMonth(month),
              }))}
              value={shown}
              onChange={(event) => set('month', event.currentTarget.value)}
            />
          )}
          <NativeSelect
            label="Time zone"
            size="xs"
            data={[...new Set([...ZONES, timeZone])]}
            value={timeZone}
            onChange={(event) => set('time_zone', event.currentTarget.value)}
          />
          {data && (
            <Downloads
              of="statement"
              size="xs"
              files={[
                {
                  title: 'Statement',
                  path: `/api/${mode}/statement/export`,
                  query: { from: data.from, to: data.to, time_zone: data.time_zone },
                  formats: ['csv', 'json'],
                },
              ]}
            />
          )}
        </Group>
      </Group>
      {data && (
        <Text size="sm" mb="md">
          {!data.is_final && 'This month is not over: the statement is not final. '}
          <Anchor component={Link} to={movements(data)}>
            Each movement of this month
          </Anchor>
        </Text>
      )}
      {statement.isError && <FailureNote error={statement.error} onRetry={() => void statement.refetch()} />}
      {statement.isPending && <Skeleton height={320} role="status" aria-label="Loading" />}
      {data?.statements.map((each) => (
        <Statement key={`${each.psp_code} ${each.currency}`} statement={each} />
      ))}
      {data?.statements.length === 0 && (
        <EmptyState icon="coins" title="No money in this month">
          There was none until its end. Choose a later month.
        </EmptyState>
      )}
    </>
  );
}
