import { Checkbox, Stack } from '@mantine/core';
import type { OrganiserRight } from '../../../src/http/api.ts';

const RIGHTS: readonly { readonly right: OrganiserRight; readonly label: string }[] = [
  { right: 'remind', label: 'Remind payers by mail' },
  { right: 'extend', label: 'Extend the time to pay' },
  { right: 'cancel', label: 'Cancel the group payment' },
];

type Props = {
  readonly label: string;
  readonly description: string;
  readonly value: readonly OrganiserRight[];
  readonly disabled?: boolean;
  readonly error?: string | null;
  readonly onChange: (may: OrganiserRight[]) => void;
};

/** Chooses what an organiser may do: a check box for each right. */
export function RightsField({ label, description, value, disabled, error, onChange }: Props) {
  const choose = (chosen: string[]) =>
    onChange(RIGHTS.map(({ right }) => right).filter((right) => chosen.includes(right)));
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={[...value]}
      error={error ?? null}
      onChange={choose}
    >
      <Stack gap="xs" mt="xs">
        {RIGHTS.map(({ right, label: name }) => (
          <Checkbox key={right} value={right} label={name} disabled={disabled ?? false} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
