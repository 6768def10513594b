import { TextInput } from '@mantine/core';
import { dayBound, toDateField } from '../format/instant.ts';

type Bound = 'created_after' | 'created_before';
type Props = {
  readonly address: {
    readonly filters: Readonly<Record<Bound, string>>;
    readonly set: (name: Bound, value: string | undefined) => void;
  };
};

/** The first and the last day of a list, kept in the address as instants. */
export function DayFields({ address: { filters, set } }: Props) {
  const field = (label: string, name: Bound, edge: 'start' | 'end') => (
    <TextInput
      label={label}
      type="date"
      size="xs"
      value={toDateField(filters[name])}
      onChange={(event) => set(name, dayBound(event.currentTarget.value, edge))}
    />
  );
  return (
    <>
      {field('Created from', 'created_after', 'start')}
      {field('to', 'created_before', 'end')}
    </>
  );
}
