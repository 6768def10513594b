import { Anchor, Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Link, Navigate } from 'react-router';
import type { FirstPayment, OrganiserRight, Setup } from '../../../../src/http/api.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useModeApi, useRead } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RightsField } from '../../parts/rights-field.tsx';
import { Section } from '../../parts/section.tsx';
import { useUsualOrganiser } from '../organisers/usual-organiser.ts';
import { Made } from './made.tsx';

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
      {make.data ? (
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

/** An amount as it was typed, with the decimal point that the platform reads. */
const readAmount = (typed: string): string => typed.trim().replace(',', '.');

type FormProps = {
  /** The merchant's setting, until the user chooses. */
  readonly usual: readonly OrganiserRight[];
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly onMake: (body: object) => void;
};

function Form({ usual, isRunning, error, onMake }: FormProps) {
  const [name, setName] = useState('Dinner for three');
  const [total, setTotal] = useState('30.00');
  const [currency, setCurrency] = useState('EUR');
  const [slots, setSlots] = useState<string | number>(3);
  const [expiry, setExpiry] = useState('3600');
  const [enough, setEnough] = useState<string | number>('');
  const [maxTip, setMaxTip] = useState('');
  const [chosen, setChosen] = useState<readonly OrganiserRight[]>();
  const may = chosen ?? usual;
  const param = error instanceof ApiFailure ? error.param : undefined;
  const findFault = (field: string) => (param === field && error ? error.message : null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onMake({
      group_name: name,
      total_amount: readAmount(total),
      currency,
      number_of_slots: Number(slots),
      expires_in_seconds: Number(expiry),
      organiser: may.length > 0 ? { may } : null,
      ...(enough !== '' && { minimum_slots: Number(enough) }),
      ...(maxTip.trim() !== '' && { max_tip: readAmount(maxTip) }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <TextInput
          label="Name"
          description="What payers see"
          required
          maxLength={32}
          value={name}
          error={findFault('group_name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group align="flex-start" gap="sm" wrap="nowrap">
          <TextInput
            label="Total"
            required
            inputMode="decimal"
            flex={1}
            value={total}
            error={findFault('total_amount')}
            onChange={(event) => setTotal(event.currentTarget.value)}
          />
          <NativeSelect
            label="Currency"
            data={CURRENCIES}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        </Group>
        <NumberInput
          label="Slots"
          description="Into how many equal parts it is split, 1 to 30"
          required
          min={1}
          max={30}
          allowDecimal={false}
          value={slots}
          error={findFault('number_of_slots')}
          onChange={setSlots}
        />
        <NativeSelect
          label="Collects for"
          description="In the time of your test clock"
          data={EXPIRIES}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        <NumberInput
          label="Capture when time runs out, from"
          description="So many held slots are enough then; left empty, everything is released"
          min={1}
          max={30}
          allowDecimal={false}
          suffix={enough === 1 ? ' slot' : ' slots'}
          value={enough}
          error={findFault('minimum_slots') ?? findFault('capture_at_expiry.minimum_slots')}
          onChange={setEnough}
        />
        <TextInput
          label="Payers may add a tip of up to"
          description="Each payment, in the currency above; left empty, they may add none"
          inputMode="decimal"
          value={maxTip}
          error={findFault('max_tip') ?? findFault('tips.max_amount')}
          onChange={(event) => setMaxTip(event.currentTarget.value)}
        />
        <RightsField
          label="An organiser may"
          description="Gives the bill a second link for the person who called the others together"
          value={may}
          error={findFault('organiser.may')}
          onChange={setChosen}
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
