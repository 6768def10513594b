import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { formatState } from '../../parts/tone.ts';
import { useMode } from '../../shell/mode.ts';
import { parseSearch, type FILTERS } from './search.ts';
import { GROUP_STATES } from './states.ts';

type Address = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

const STATES = [
  { value: '', label: 'Any state' },
  ...GROUP_STATES.map((value) => ({ value, label: formatState(value) })),
];

/** The filters of the list: the API's own, kept in the address. */
export function Filters({ address, total }: { address: Address; total: number | undefined }) {
  const { filters, set, isFiltered, clear } = address;
  return (
    <Group align="flex-end" gap="sm" mb="md">
      <Search key={filters.merchant_order_id} address={address} />
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

/** Searches by an id, which opens the payment itself, or by an order number, which is any other text. */
function Search({ address }: { address: Address }) {
  const [text, setText] = useState(address.filters.merchant_order_id);
  const navigate = useNavigate();
  const mode = useMode();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const search = parseSearch(text);
    if (search.kind === 'id') void navigate(`/${mode}/group-payments/${search.id}`);
    else address.only('merchant_order_id', search.order);
  };
  return (
    <form role="search" onSubmit={submit}>
      <TextInput
        label="Id or order number"
        size="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<Icon name="search" size={14} />}
        placeholder="Press Enter to find"
      />
    </form>
  );
}
