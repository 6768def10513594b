import { NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { TypedMinimum } from './bill.ts';

type Props = {
  readonly value: TypedMinimum;
  readonly currency: string;
  readonly findFault: (...fields: string[]) => string | null;
  readonly onChange: (minimum: TypedMinimum) => void;
};

/** What must be held for a capture when time runs out: a number of slots, or an amount. */
export function MinimumField({ value: { unit, value }, currency, findFault, onChange }: Props) {
  const texts = {
    label: 'Minimum to capture when time runs out',
    description:
      'What is held then is captured if it is at least this much; left empty, everything is released',
    error: findFault(`capture_at_expiry.minimum_${unit}`, 'capture_at_expiry'),
  };
  return (
    <Stack gap="xs">
      {unit === 'slots' ? (
        <NumberInput
          {...texts}
          min={1}
          max={30}
          clampBehavior="none"
          suffix={value === 1 ? ' slot' : ' slots'}
          value={value}
          onChange={(next) => onChange({ unit, value: next })}
        />
      ) : (
        <TextInput
          {...texts}
          inputMode="decimal"
          value={String(value)}
          onChange={(event) => onChange({ unit, value: event.currentTarget.value })}
        />
      )}
      <SegmentedControl
        aria-label="The minimum is counted in"
        size="xs"
        data={[
          { value: 'slots', label: 'Slots' },
          { value: 'amount', label: `Amount in ${currency}` },
        ]}
        value={unit}
        onChange={(next) => onChange({ unit: next === 'amount' ? 'amount' : 'slots', value: '' })}
      />
    </Stack>
  );
}
