import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { TypedMinimum } from './bill.ts';

type Props = {
  readonly value: TypedMinimum;
  readonly currency: string;
  readonly findFault: (field: string) => string | null;
  readonly onChange: (minimum: TypedMinimum) => void;
};

/** What must be held for a capture when time runs out: a number of slots, or an amount. */
export function MinimumField({ value: { unit, value }, currency, findFault, onChange }: Props) {
  const label = 'Capture when time runs out, from';
  const description = 'So much that is held is enough then; left empty, everything is released';
  const fault = findFault(`capture_at_expiry.minimum_${unit}`) ?? findFault('capture_at_expiry');
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      {unit === 'slots' ? (
        <NumberInput
          flex={1}
          label={label}
          description={description}
          min={1}
          max={30}
          allowDecimal={false}
          value={value}
          error={fault}
          onChange={(next) => onChange({ unit, value: next })}
        />
      ) : (
        <TextInput
          flex={1}
          label={label}
          description={description}
          inputMode="decimal"
          value={String(value)}
          error={fault}
          onChange={(event) => onChange({ unit, value: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        aria-label="The minimum is counted in"
        data={[
          { value: 'slots', label: value === 1 ? 'slot' : 'slots' },
          { value: 'amount', label: currency },
        ]}
        value={unit}
        onChange={(event) =>
          onChange({ unit: event.currentTarget.value === 'amount' ? 'amount' : 'slots', value: '' })
        }
      />
    </Group>
  );
}
