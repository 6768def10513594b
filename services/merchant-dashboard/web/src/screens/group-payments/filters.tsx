import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { formatState } from '../../parts/tone.ts';
import type { FILTERS } from './search.ts';
import { GROUP_STATES } from './states.ts';

export type Address = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

const STATES = [
  { value: '', label: 'Any state' },
  ...GROUP_STATES.map((value) => ({ value, label: formatState(value) })),
];

/** The filters of the list: the API's own, kept in the address. */
export function Filters({ address, total }: { address: Address; total: number | undefined }) {
  const { filters, set, isFiltered, clear } = address;
  return (
    <Group align="flex-end" gap="sm" mb="md">
      <NativeSelect
        label="State"
        size="xs"
        data={STATES}
        value={filters.state}
        onChange={(event) => set('state', event.currentTarget.value)}
      />
      <DayFields address={address} />
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
      <Text size="sm" c="dimmed" role="status" ml="auto">
        {total === undefined ? '\u00a0' : total === 1 ? '1 group payment' : `${total} group payments`}
      </Text>
    </Group>
  );
}
