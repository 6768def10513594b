import { Button, Group, NativeSelect, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import type { OrganiserRight } from '../../../../src/http/api.ts';
import { findFieldFault } from '../../api/field-fault.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { RightsField } from '../../parts/rights-field.tsx';
import type { Mode } from '../../shell/mode.ts';
import { useTyped } from '../../shell/typed.ts';
import { formatBill, type Bill } from './bill.ts';
import { MinimumField } from './minimum-field.tsx';
import { SlotsField } from './slots-field.tsx';

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'HUF', 'JPY', 'COP', 'BHD'];
const EXPIRIES = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
];

type Props = {
  readonly mode: Mode;
  readonly initial: Bill;
  /** The merchant's setting, until the user chooses. */
  readonly usual: readonly OrganiserRight[];
  /** The form opens with the focus on its first field. */
  readonly isFocused: boolean;
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly onMake: (body: object) => void;
};

/** The form of a group payment by hand. */
export function BillForm({ mode, initial, usual, isFocused, isRunning, error, onMake }: Props) {
  const [bill, setBill] = useTyped('bill', initial);
  const set = (part: Partial<Bill>) => setBill((now) => ({ ...now, ...part }));
  const may = bill.may ?? usual;
  const findFault = (...fields: string[]) => findFieldFault(error, ...fields);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onMake(formatBill(bill, usual));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <TextInput
          data-autofocus={isFocused || undefined}
          label="Name"
          description="What payers see"
          required
          maxLength={32}
          value={bill.name}
          error={findFault('group_name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <SegmentedControl
            aria-label="Split"
            flex={1}
            data={[
              { value: 'equal', label: 'Equal slots' },
              { value: 'hand', label: 'By hand' },
            ]}
            value={bill.isByHand ? 'hand' : 'equal'}
            onChange={(split) => set({ isByHand: split === 'hand' })}
          />
          <NativeSelect
            label="Currency"
            data={CURRENCIES.includes(bill.currency) ? CURRENCIES : [bill.currency, ...CURRENCIES]}
            value={bill.currency}
            onChange={(event) => set({ currency: event.currentTarget.value })}
          />
        </Group>
        {bill.isByHand ? (
          <SlotsField value={bill.slots} findFault={findFault} onChange={(slots) => set({ slots })} />
        ) : (
          <>
            <TextInput
              label="Total"
              required
              inputMode="decimal"
              value={bill.total}
              error={findFault('total_amount', 'distribution')}
              onChange={(event) => set({ total: event.currentTarget.value })}
            />
            <NumberInput
              label="Slots"
              description="Into how many equal parts it is split, 1 to 30"
              required
              min={1}
              max={30}
              clampBehavior="none"
              value={bill.count}
              error={findFault('number_of_slots')}
              onChange={(count) => set({ count })}
            />
          </>
        )}
        <NativeSelect
          label="Time to pay"
          description={mode === 'test' ? 'By your test clock' : 'Nobody can pay after that'}
          data={EXPIRIES}
          value={bill.expiry}
          onChange={(event) => set({ expiry: event.currentTarget.value })}
        />
        <MinimumField
          value={bill.minimum}
          currency={bill.currency}
          findFault={findFault}
          onChange={(minimum) => set({ minimum })}
        />
        <TextInput
          label="Payers may add a tip of up to"
          description="Each payment, in the currency above; left empty, they may add none"
          inputMode="decimal"
          value={bill.maxTip}
          error={findFault('max_tip', 'tips.max_amount')}
          onChange={(event) => set({ maxTip: event.currentTarget.value })}
        />
        <RightsField
          label="An organiser may"
          description="Gives the bill a second link for the person who called the others together"
          value={may}
          error={findFault('organiser.may')}
          onChange={(rights) => set({ may: rights })}
        />
        {error !== null && <FailureNote error={error} />}
        <Group>
          <Button type="submit" loading={isRunning}>
            {mode === 'test' ? 'Create test payment' : 'Create live payment'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
