import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { GroupPaymentPage, ListedGroupPayment } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Amount } from '../../parts/amount.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, Rows, SkeletonRows } from '../../parts/rows.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { Filters } from './filters.tsx';
import { HeldBar } from './held-bar.tsx';
import { FILTERS } from './search.ts';

const COLUMNS = [
  ['Name', 'minmax(0, 2fr)'],
  ['Total', '110px'],
  ['Held and captured', '130px'],
  ['State', '120px'],
  ['Order', 'minmax(0, 1fr)'],
  ['Created', '160px'],
] as const;

/** Every group payment of the mode, newest first. */
export default function GroupPayments() {
  const mode = useMode();
  const address = useFilters(FILTERS);
  const { filters, cursor } = address;
  const page = useRead<GroupPaymentPage>(`/group-payments${formatQuery({ ...filters, cursor })}`);
  const mayTry = useMay('test.manage') && mode === 'test';
  const create = mayTry && (
    <Button component={Link} to="/test/group-payments/new" leftSection={<Icon name="plus" size={16} />}>
      New test payment
    </Button>
  );
  return (
    <Page title="Group payments" lead="Bills that several people pay together." actions={create}>
      <Filters address={address} total={page.data?.pagination.total} />
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {page.data?.group_payments.length === 0 && (
        <Nothing isFiltered={address.isFiltered} onClear={address.clear} create={create} />
      )}
      {page.data && page.data.group_payments.length > 0 && (
        <>
          <Rows
            label="Group payments"
            columns={COLUMNS}
            items={page.data.group_payments}
            toKey={({ id }) => id}
            toHref={({ id }) => `/${mode}/group-payments/${id}`}
            cells={renderCells}
          />
          <Pager next={page.data.pagination.next_cursor} />
        </>
      )}
    </Page>
  );
}

const renderCells = (group: ListedGroupPayment) => [
  group.group_name,
  <Amount key="total" of={group.total} />,
  group.money && <HeldBar key="held" total={group.total} money={group.money} />,
  <StateBadge key="state" state={group.state} />,
  group.merchant_order_id,
  <Instant key="created" at={group.created_at} />,
];

function Nothing(props: { isFiltered: boolean; onClear: () => void; create: React.ReactNode }) {
  if (props.isFiltered)
    return (
      <EmptyState
        icon="search"
        title="Nothing matches"
        action={
          <Button variant="default" onClick={props.onClear}>
            Show all
          </Button>
        }
      >
        No group payment of this mode fits what you are looking for.
      </EmptyState>
    );
  return (
    <EmptyState icon="payments" title="No group payments yet" action={props.create}>
      A group payment is one bill split into slots. Each participant’s card is only held; when every slot is
      held, all are captured at once. Your server makes them with the API.
    </EmptyState>
  );
}
