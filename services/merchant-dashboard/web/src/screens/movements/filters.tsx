import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { MovementPage, ShownBalance } from '../../../../src/http/api.ts';
import type { useFilters } from '../../parts/address.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { useMode } from '../../shell/mode.ts';
import { HEADINGS, MOVED } from '../money/columns.ts';
import { ZONES } from '../money/zones.ts';

export const FILTERS = ['from', 'to', 'time_zone', 'kind', 'currency', 'psp_code'] as const;
type Name = (typeof FILTERS)[number];

type Props = {
  readonly address: ReturnType<typeof useFilters<Name>>;
  /** The page that is shown, which names the period where the address does not. */
  readonly page: MovementPage | undefined;
  /** The gateways and currencies that there are to choose from. */
  readonly balances: readonly ShownBalance[];
};

/** The filters of movements, kept in the address, and the files of all that they match. */
export function Filters({ address: { filters, set, isFiltered, clear }, page, balances }: Props) {
  const mode = useMode();
  const day = (label: string, name: 'from' | 'to') => (
    <TextInput
      label={label}
      type="date"
      size="xs"
      value={filters[name] || (page?.[name] ?? '')}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
  const choice = (label: string, name: Name, values: readonly string[], any?: string) => (
    <NativeSelect
      label={label}
      size="xs"
      data={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...[...new Set([...values, ...(filters[name] ? [filters[name]] : [])])].map((value) => ({
          value,
          label: (HEADINGS as Partial<Record<string, string>>)[value] ?? value,
        })),
      ]}
      value={filters[name] || (any === undefined ? values[0] : '')}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
  return (
    <Group align="flex-end" gap="sm" mb="md">
      {day('From', 'from')}
      {day('to', 'to')}
      {choice('Time zone', 'time_zone', ZONES)}
      {choice('What moved', 'kind', MOVED, 'Everything')}
      {choice(
        'Currency',
        'currency',
        balances.map(({ currency }) => currency),
        'All',
      )}
      {choice(
        'Gateway',
        'psp_code',
        balances.map(({ psp_code }) => psp_code),
        'All',
      )}
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
      {page && (
        <Downloads
          of="movements"
          size="xs"
          files={[
            {
              title: 'Movements',
              path: `/api/${mode}/movements/export`,
              query: { ...filters, from: page.from, to: page.to, time_zone: page.time_zone },
            },
          ]}
        />
      )}
    </Group>
  );
}
