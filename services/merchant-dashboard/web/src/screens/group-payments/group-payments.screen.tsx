import { Button, Group } from '@mantine/core';
import type { GroupPaymentPage } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { CreateButton } from '../../parts/create-button.tsx';
import { Downloads, type DownloadedFile } from '../../parts/downloads.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, SkeletonRows } from '../../parts/rows.tsx';
import { nameRoles } from '../../parts/role-note.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useMode, type Mode } from '../../shell/mode.ts';
import { permissionFor } from '../../shell/permissions.ts';
import { useMayCreate } from '../../shell/session.ts';
import { Filters, type Address } from './filters.tsx';
import { Found } from './found.tsx';
import { GroupRows } from './group-rows.tsx';
import { FILTERS, LONGEST_SEARCH } from './search.ts';

/** Every group payment of the mode, newest first, or those that a search finds. */
export default function GroupPayments() {
  const mode = useMode();
  const address = useFilters(FILTERS);
  const { search } = address.filters;
  const create = useMayCreate() && <CreateButton />;
  const actions = (
    <>
      <Downloads of="group payments" files={listFiles(mode, address.filters)} />
      {create}
    </>
  );
  return (
    <Page title="Group payments" lead="Bills that several people pay together." actions={actions}>
      <Group align="flex-end" gap="sm" mb="md">
        <SearchField
          label="Search"
          placeholder="Name, order number, reference, payer or id"
          value={search}
          maxLength={LONGEST_SEARCH}
          onSearch={(text) => address.only('search', text)}
        />
        {search !== '' && (
          <Button variant="subtle" size="xs" onClick={address.clear}>
            Clear
          </Button>
        )}
      </Group>
      {search === '' ? (
        <Listed address={address} create={create} />
      ) : (
        <Found text={search} onClear={address.clear} />
      )}
    </Page>
  );
}

/** Returns the files of what the list shows: the group payments, and the payments that payers made of them. */
function listFiles(mode: Mode, { search, ...filters }: Address['filters']): DownloadedFile[] {
  const query = search === '' ? filters : { text: search };
  return [
    { title: 'Group payments', path: `/api/${mode}/group-payments/export`, query },
    { title: 'Their payments', path: `/api/${mode}/payments/export`, query },
  ];
}

function Listed({ address, create }: { address: Address; create: React.ReactNode }) {
  const { filters, cursor } = address;
  const page = useRead<GroupPaymentPage>(`/group-payments${formatQuery({ ...filters, cursor })}`);
  return (
    <>
      <Filters address={address} total={page.data?.pagination.total} />
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {page.data?.group_payments.length === 0 && (
        <Nothing isFiltered={address.isFiltered} onClear={address.clear} create={create} />
      )}
      {page.data && page.data.group_payments.length > 0 && (
        <>
          <GroupRows groups={page.data.group_payments} />
          <Pager next={page.data.pagination.next_cursor} />
        </>
      )}
    </>
  );
}

function Nothing(props: { isFiltered: boolean; onClear: () => void; create: React.ReactNode }) {
  const makers = nameRoles(permissionFor('payments', useMode()));
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
      held, all are captured at once. Your server makes them with the API, or{' '}
      {props.create ? 'you make one here' : `${makers} make them here`}.
    </EmptyState>
  );
}
