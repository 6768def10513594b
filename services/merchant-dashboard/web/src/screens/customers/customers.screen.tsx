import { Button, Group, Text } from '@mantine/core';
import type { CustomerPage, GroupPaymentSearch } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, SkeletonRows } from '../../parts/rows.tsx';
import { SavedFilters } from '../../parts/saved-filters.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { CustomerRows } from './customer-rows.tsx';

const FILTERS = ['search', 'created_after', 'created_before'] as const;
type Address = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

/** An e-mail address has up to 320 characters. */
const LONGEST_SEARCH = 320;

/** Everybody who started a payment, the one with the latest payment first, or those that a search finds. */
export default function Customers() {
  const address = useFilters(FILTERS);
  const { search } = address.filters;
  return (
    <Page title="Customers" lead="Everybody who started a payment, with what became of it.">
      <Group align="flex-end" gap="sm" mb="md">
        <SearchField
          label="Search"
          placeholder="Name or e-mail address"
          value={search}
          maxLength={LONGEST_SEARCH}
          onSearch={(text) => address.only('search', text)}
        />
        {search === '' && <DayFields address={address} />}
        <SavedFilters list="customers" address={address} />
        {address.isFiltered && (
          <Button variant="subtle" size="xs" onClick={address.clear}>
            Clear
          </Button>
        )}
      </Group>
      {search === '' ? <Listed address={address} /> : <Found text={search} onClear={address.clear} />}
    </Page>
  );
}

function Listed({ address }: { address: Address }) {
  const { created_after, created_before } = address.filters;
  const query = formatQuery({ created_after, created_before, cursor: address.cursor });
  const page = useRead<CustomerPage>(`/customers${query}`);
  const customers = page.data?.customers ?? [];
  return (
    <>
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {page.data && customers.length === 0 && (
        <EmptyState icon="person" title={address.isFiltered ? 'Nothing matches' : 'No customers yet'}>
          {address.isFiltered
            ? 'Nobody of this mode started their first payment on these days.'
            : 'Whoever starts a payment of a group payment appears here at once.'}
        </EmptyState>
      )}
      {customers.length > 0 && <CustomerRows customers={customers} />}
      {page.data && <Pager next={page.data.next_cursor} />}
    </>
  );
}

function Found({ text, onClear }: { text: string; onClear: () => void }) {
  const found = useRead<GroupPaymentSearch>(`/search${formatQuery({ text })}`);
  const customers = found.data?.customers ?? [];
  return (
    <>
      {found.isError && <FailureNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonRows />}
      {found.data && customers.length === 0 && (
        <EmptyState
          icon="search"
          title="Nothing matches"
          action={
            <Button variant="default" onClick={onClear}>
              Show all
            </Button>
          }
        >
          No customer of this mode has a name that begins like this. An e-mail address has to be complete.
        </EmptyState>
      )}
      {customers.length > 0 && <CustomerRows customers={customers} />}
      {found.data?.is_customers_cut && (
        <Text size="sm" c="dimmed" mt="md" role="status">
          These are the {customers.length} with the latest payments. Type more to find others.
        </Text>
      )}
    </>
  );
}
