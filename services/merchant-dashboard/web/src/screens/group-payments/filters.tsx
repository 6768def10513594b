import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { SavedFilters } from '../../parts/saved-filters.tsx';
import { formatState } from '../../parts/tone.ts';
import type { FILTERS } from './search.ts';
import { GROUP_STATES } from './states.ts';

export type Address = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

const STATES = [
  { value: '', label: 'Any state' },
  ...GROUP_STATES.map((value) => ({ value, label: formatState(value) })),
];

const DISPUTES = [
  { value: '', label: 'With or without' },
  { value: 'true', label: 'In dispute' },
];

/** The filters of the list, kept in the address. */
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
      <NativeSelect
        label="Dispute"
        size="xs"
        data={DISPUTES}
        value={filters.disputed}
        onChange={(event) => set('disputed', event.currentTarget.value)}
      />
      <DayFields address={address} />
      <SavedFilters list="group-payments" address={address} />
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
      <Text size="sm" c="dimmed" ml="auto">
        {formatCount(total)}
      </Text>
      <Announced total={total} of={JSON.stringify(filters)} />
    </Group>
  );
}

/** Tells those who listen to the page how many there are, once for each choice of filters and not with live updates. */
function Announced({ total, of }: { total: number | undefined; of: string }) {
  const [said, setSaid] = useState<{ total?: number; of: string }>({ of });
  if (total !== undefined && (said.total === undefined || said.of !== of)) setSaid({ total, of });
  return (
    <span role="status" className="visually-hidden">
      {formatCount(said.total)}
    </span>
  );
}

function formatCount(total: number | undefined): string {
  if (total === undefined) return '\u00a0';
  return total === 1 ? '1 group payment' : `${total} group payments`;
}
