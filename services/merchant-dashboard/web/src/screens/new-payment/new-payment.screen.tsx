import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { FirstPayment, GroupPaymentDetail, OrganiserRight, Setup } from '../../../../src/http/api.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useModeApi, useRead } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RightsField } from '../../parts/rights-field.tsx';
import { Section } from '../../parts/section.tsx';
import { useUsualOrganiser } from '../organisers/usual-organiser.ts';
import { copyBill, FIRST_BILL, formatBill, type Bill } from './bill.ts';
import { Made } from './made.tsx';
import { SlotsField } from './slots-field.tsx';

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'HUF', 'JPY', 'COP', 'BHD'];
const EXPIRIES = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
];

/** Creates a group payment without code; it is paid on its checkout page. */
export default function NewPayment() {
  const api = useModeApi();
  const once = useOnce();
  const setup = useRead<Setup>('/setup');
  const like = useSearchParams()[0].get('like');
  const { data: copied, isLoading } = useRead<GroupPaymentDetail>(`/group-payments/${like}`, {
    enabled: like !== null,
  });
  const { setting: usual } = useUsualOrganiser();
  const make = useMutation({
    mutationFn: (body: object) =>
      once(body, (idempotencyKey) =>
        api.send<FirstPayment>('/first-payment', { method: 'POST', body, idempotencyKey }),
      ),
    onSuccess: async () => {
      await Promise.all([api.changed('/group-payments'), api.changed('/setup')]);
    },
  });
  if (api.mode === 'live') return <Navigate to="/live/group-payments" replace />;
  return (
    <Page title="New test payment" lead="Make a bill as your server would, and pay it with a sandbox card.">
      {isLoading ? (
        <Skeleton height={420} role="status" aria-label="Loading" />
      ) : make.data ? (
        <Made made={make.data} onAnother={() => make.reset()} />
      ) : (
        <Section title="The bill">
          {setup.data?.active_gateway === null && (
            <Text size="sm" mb="md">
              No gateway is connected in test mode: it can be made, but not be paid.{' '}
              <Anchor component={Link} to="/test/gateways" size="sm">
                Connect one first
              </Anchor>
              .
            </Text>
          )}
          <Form
            initial={copied ? copyBill(copied) : FIRST_BILL}
            usual={usual.data?.organiser_rights ?? []}
            isRunning={make.isPending}
            error={make.error}
            onMake={(body) => make.mutate(body)}
          />
        </Section>
      )}
    </Page>
  );
}

type FormProps = {
  readonly initial: Bill;
  /** The merchant's setting, until the user chooses. */
  readonly usual: readonly OrganiserRight[];
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly onMake: (body: object) => void;
};

function Form({ initial, usual, isRunning, error, onMake }: FormProps) {
  const [bill, setBill] = useState(initial);
  const set = (part: Partial<Bill>) => setBill((now) => ({ ...now, ...part }));
  const may = bill.may ?? usual;
  const param = error instanceof ApiFailure ? error.param : undefined;
  const findFault = (field: string) => (param === field && error ? error.message : null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onMake(formatBill(bill, usual));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <TextInput
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
              error={findFault('total_amount')}
              onChange={(event) => set({ total: event.currentTarget.value })}
            />
            <NumberInput
              label="Slots"
              description="Into how many equal parts it is split, 1 to 30"
              required
              min={1}
              max={30}
              allowDecimal={false}
              value={bill.count}
              error={findFault('number_of_slots')}
              onChange={(count) => set({ count })}
            />
          </>
        )}
        <NativeSelect
          label="Collects for"
          description="In the time of your test clock"
          data={EXPIRIES}
          value={bill.expiry}
          onChange={(event) => set({ expiry: event.currentTarget.value })}
        />
        <NumberInput
          label="Capture when time runs out, from"
          description="So many held slots are enough then; left empty, everything is released"
          min={1}
          max={30}
          allowDecimal={false}
          suffix={bill.enough === 1 ? ' slot' : ' slots'}
          value={bill.enough}
          error={findFault('minimum_slots') ?? findFault('capture_at_expiry.minimum_slots')}
          onChange={(enough) => set({ enough })}
        />
        <TextInput
          label="Payers may add a tip of up to"
          description="Each payment, in the currency above; left empty, they may add none"
          inputMode="decimal"
          value={bill.maxTip}
          error={findFault('max_tip') ?? findFault('tips.max_amount')}
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
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
