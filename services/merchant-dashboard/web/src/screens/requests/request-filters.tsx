import { Button, Group, NativeSelect } from '@mantine/core';
import type { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { SavedFilters } from '../../parts/saved-filters.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { parseLookUp } from './look-up.ts';

/** The filters of the list, by their names in the API. */
export const FILTERS = [
  'status_class',
  'method',
  'path',
  'request_id',
  'created_after',
  'created_before',
] as const;
type Address = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

const STATUSES = [
  { value: '', label: 'Any' },
  { value: '2xx', label: '2xx · done' },
  { value: '4xx', label: '4xx · refused' },
  { value: '5xx', label: '5xx · failed' },
];
const METHODS = [{ value: '', label: 'Any' }, 'GET', 'POST', 'PATCH', 'DELETE'];

/** The filters of the list, kept in the address. */
export function RequestFilters({ address }: { address: Address }) {
  const { filters, set, isFiltered, clear } = address;
  return (
    <Group align="flex-end" gap="sm" mb="md">
      <SearchField
        label="Path or request id"
        placeholder="Press Enter to find"
        value={filters.request_id || filters.path}
        onSearch={(text) => address.change(parseLookUp(text))}
      />
      <NativeSelect
        label="Status"
        size="xs"
        data={STATUSES}
        value={filters.status_class}
        onChange={(event) => set('status_class', event.currentTarget.value)}
      />
      <NativeSelect
        label="Method"
        size="xs"
        data={METHODS}
        value={filters.method}
        onChange={(event) => set('method', event.currentTarget.value)}
      />
      <DayFields address={address} />
      <SavedFilters list="requests" address={address} />
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}
