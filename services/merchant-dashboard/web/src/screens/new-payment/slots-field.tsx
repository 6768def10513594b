import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';

/** A slot as it is typed: its amount, and what it is for. */
export type TypedSlot = { readonly amount: string; readonly label: string };

const MOST = 30;
const LONGEST_LABEL = 60;

type Props = {
  readonly value: readonly TypedSlot[];
  readonly findFault: (field: string) => string | null;
  readonly onChange: (slots: readonly TypedSlot[]) => void;
};

/** Slots by hand: a row with label and amount for each. */
export function SlotsField({ value, findFault, onChange }: Props) {
  const change = (at: number, part: Partial<TypedSlot>) =>
    onChange(value.map((slot, index) => (index === at ? { ...slot, ...part } : slot)));
  return (
    <Stack gap="xs" role="group" aria-label="Slots">
      {value.map((slot, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={2}
            miw={0}
            aria-label={`Label of slot ${at + 1}`}
            placeholder={`Slot ${at + 1}, such as Menu`}
            maxLength={LONGEST_LABEL}
            value={slot.label}
            error={findFault(`slots.${at}.label`)}
            onChange={(event) => change(at, { label: event.currentTarget.value })}
          />
          <TextInput
            flex={1}
            miw={0}
            aria-label={`Amount of slot ${at + 1}`}
            required
            inputMode="decimal"
            value={slot.amount}
            error={findFault(`slots.${at}.amount`)}
            onChange={(event) => change(at, { amount: event.currentTarget.value })}
          />
          <CloseButton
            size="lg"
            aria-label={`Remove slot ${at + 1}`}
            disabled={value.length === 1}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          />
        </Group>
      ))}
      <Group justify="space-between">
        <Button
          variant="default"
          size="xs"
          disabled={value.length >= MOST}
          onClick={() => onChange([...value, { amount: value.at(-1)?.amount ?? '', label: '' }])}
        >
          Add a slot
        </Button>
        <Text size="xs" c="dimmed">
          The total is their sum.
        </Text>
      </Group>
    </Stack>
  );
}
