import { Text } from '@mantine/core';
import type { BalancePage, MovementPage, ShownMovement } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Amount } from '../../parts/amount.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, Rows, SkeletonRows } from '../../parts/rows.tsx';
import { useMode } from '../../shell/mode.ts';
import { HEADINGS } from '../money/columns.ts';
import { DEVICE_ZONE } from '../money/zones.ts';
import { FILTERS, Filters } from './filters.tsx';
import { Totals } from './totals.tsx';

const COLUMNS = [
  ['Group payment', 'minmax(0, 1fr)'],
  ['What moved', '150px'],
  ['Amount', '110px'],
  ['Gateway', '100px'],
  ['Order number', '190px'],
] as const;

/** Shows each movement of money in a period, the newest first, with the totals of all that the filters match. */
export default function Movements() {
  const mode = useMode();
  const address = useFilters(FILTERS);
  const { filters, cursor } = address;
  const time_zone = filters.time_zone || DEVICE_ZONE;
  const page = useRead<MovementPage>(`/movements${formatQuery({ ...filters, time_zone, cursor })}`);
  const time = `Time (${(page.data?.time_zone ?? time_zone).replaceAll('_', ' ')})`;
  const balances = useRead<BalancePage>('/balance').data?.balances ?? [];
  return (
    <Page
      title="Movements"
      lead="Every hold, release, capture, refund, reversal and dispute, as the books have it."
    >
      <Filters address={address} page={page.data} balances={balances} />
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {page.data && page.data.totals.length > 0 && <Totals totals={page.data.totals} />}
      {page.data && page.data.totals.length === 0 && (
        <EmptyState icon="coins" title="Nothing moved">
          No money moved in this period that the filters match.
        </EmptyState>
      )}
      {page.data && page.data.movements.length > 0 && (
        <Rows
          label="Movements"
          columns={[...COLUMNS, [time, '190px']]}
          onPhones={page.data.time_zone === DEVICE_ZONE ? [] : [time]}
          items={page.data.movements}
          toKey={({ id }) => id}
          toHref={({ group_payment_id }) => `/${mode}/group-payments/${group_payment_id}`}
          cells={(movement) => renderCells(movement, page.data.time_zone)}
        />
      )}
      {page.data && <Pager next={page.data.next_cursor} />}
    </Page>
  );
}

const renderCells = (movement: ShownMovement, timeZone: string) => [
  movement.group_name,
  <Text key="kind" component="span" size="sm">
    {HEADINGS[movement.kind]}
    {movement.is_tip && ' (tip)'}
  </Text>,
  <Amount key="amount" of={movement.amount} />,
  movement.psp_code,
  <span key="order">
    {movement.merchant_order_id}
    {movement.client_reference && (
      <Text component="span" size="xs" c="dimmed" display="block" truncate>
        Your reference: {movement.client_reference}
      </Text>
    )}
  </span>,
  <Instant key="time" at={movement.at} timeZone={timeZone} hasSeconds />,
];
