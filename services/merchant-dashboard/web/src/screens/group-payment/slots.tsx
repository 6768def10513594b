import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { GroupPaymentDetail, GroupPaymentIntent, GroupPaymentSlot } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { DistanceFromNow } from '../../parts/clock.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { findTone } from '../../parts/tone.ts';
import { useMode } from '../../shell/mode.ts';

type Props = {
  readonly detail: GroupPaymentDetail;
  readonly canRefund: boolean;
  readonly onRefund: (slotIds: readonly string[]) => void;
};

/** Shows every slot with its payer; captured slots can be chosen for a refund. */
export function Slots({ detail: { slots, payments }, canRefund, onRefund }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setChosen((before) => toggled(before, id));
  const refundable = slots.filter(({ id, state }) => chosen.has(id) && state === 'captured');
  const action = canRefund && (
    <Button
      size="xs"
      disabled={refundable.length === 0}
      onClick={() => onRefund(refundable.map(({ id }) => id))}
    >
      {refundable.length === 0 ? 'Choose slots to refund' : `Refund ${formatSlotCount(refundable.length)}`}
    </Button>
  );
  return (
    <Section title="Slots" actions={action}>
      <ul className="slots" aria-label="Slots">
        {slots.map((slot) => (
          <li key={slot.id} className="slot" data-tone={findTone(slot.state)}>
            <SlotHead
              slot={slot}
              isChoosable={canRefund && slot.state === 'captured'}
              isChosen={chosen.has(slot.id)}
              onToggle={() => toggle(slot.id)}
            />
            <Text fw={650}>
              <Amount of={slot.amount} />
            </Text>
            {slot.label !== null && (
              <Text size="sm" className="slot-label">
                <bdi>{slot.label}</bdi>
              </Text>
            )}
            <Payer slot={slot} payment={payments.find(({ id }) => id === slot.payment_intent_id)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

const formatSlotCount = (count: number): string => (count === 1 ? '1 slot' : `${count} slots`);

function SlotHead(props: {
  slot: GroupPaymentSlot;
  isChoosable: boolean;
  isChosen: boolean;
  onToggle: () => void;
}) {
  const { sequence_no, label } = props.slot;
  const name = `Slot ${sequence_no}`;
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {props.isChoosable ? (
        <Checkbox
          label={name}
          size="xs"
          checked={props.isChosen}
          aria-label={label === null ? name : `${name}: ${label}`}
          onChange={props.onToggle}
        />
      ) : (
        <Text size="sm">{name}</Text>
      )}
      <StateBadge state={props.slot.state} />
    </Group>
  );
}

function Payer({ slot, payment }: { slot: GroupPaymentSlot; payment: GroupPaymentIntent | undefined }) {
  if (slot.reserved_until && !payment)
    return (
      <Text size="xs">
        reserved, ends <DistanceFromNow to={slot.reserved_until} />
      </Text>
    );
  if (!payment) return <Text size="xs">nobody yet</Text>;
  const others = payment.slot_ids.length - 1;
  return (
    <>
      <Text size="xs" truncate title={payment.payer.email}>
        <PayerName payer={payment.payer} />
      </Text>
      <Text size="xs">
        {payment.psp_code}
        {others > 0 && ` · one payment with ${others === 1 ? 'another slot' : `${others} other slots`}`}
      </Text>
      {payment.is_disputed && (
        <Text size="xs" fw={650}>
          disputed at the gateway
        </Text>
      )}
      {payment.failure && <Text size="xs">{payment.failure.message}</Text>}
    </>
  );
}

function PayerName({ payer: { id, email, name } }: Pick<GroupPaymentIntent, 'payer'>) {
  const mode = useMode();
  const shown = name ?? email;
  if (id === null) return shown;
  return (
    <Anchor component={Link} to={`/${mode}/customers/${id}`} size="xs" c="inherit" underline="always">
      {shown}
    </Anchor>
  );
}
