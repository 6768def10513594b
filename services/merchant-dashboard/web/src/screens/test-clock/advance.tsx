import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';

const STEPS = [
  { label: '15 minutes', seconds: 900 },
  { label: '1 hour', seconds: 3_600 },
  { label: '1 day', seconds: 86_400 },
  { label: '7 days', seconds: 604_800 },
];
const UNITS = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];
const MOST_SECONDS = 30 * 86_400;

type Props = { readonly isMoving: boolean; readonly onAdvance: (seconds: number) => void };

/** Moves the clock forward by a usual step or by any other. */
export function Advance({ isMoving, onAdvance }: Props) {
  const [count, setCount] = useState<string | number>(2);
  const [unit, setUnit] = useState('3600');
  const seconds = Number(count) * Number(unit);
  const isPossible = Number.isInteger(seconds) && seconds >= 1 && seconds <= MOST_SECONDS;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAdvance(seconds);
  };
  return (
    <>
      <Text size="sm" fw={600} mt="lg" mb={6}>
        Go forward
      </Text>
      <Group gap="xs" mb="md">
        {STEPS.map((step) => (
          <Button
            key={step.label}
            variant="default"
            disabled={isMoving}
            onClick={() => onAdvance(step.seconds)}
          >
            {step.label}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <NumberInput
            label="Number"
            w={90}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            value={count}
            onChange={setCount}
          />
          <NativeSelect
            label="Unit"
            data={UNITS}
            value={unit}
            onChange={(event) => setUnit(event.currentTarget.value)}
          />
          <Button type="submit" loading={isMoving} disabled={!isPossible}>
            Advance
          </Button>
        </Group>
        <Text size="xs" c={isPossible ? 'dimmed' : 'var(--mantine-color-error)'} mt={6}>
          At most 30 days at a time.
        </Text>
      </form>
    </>
  );
}
