import { Alert, Group, Text } from '@mantine/core';
import type { RefundPreview } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Shows the payments a refund covers: whole ones, with the other slots that the same payment covers. */
export function RefundPlan({ preview: { payments } }: { preview: RefundPreview }) {
  const given = payments.filter(({ obstacle }) => obstacle === null).length;
  const others = payments.reduce((count, { other_slot_ids }) => count + other_slot_ids.length, 0);
  return (
    <>
      <Text size="sm" mb="sm">
        {given === 0 && 'Nothing can be given back now:'}
        {given > 0 && `${given === 1 ? 'One payment is' : `${given} payments are`} given back, always whole:`}
      </Text>
      {others > 0 && (
        <Alert color="yellow" mb="sm" icon={<Icon name="warning" />} title="More than you chose">
          {others === 1 ? 'One more slot is' : `${others} more slots are`} refunded, because the same payment
          covers {others === 1 ? 'it' : 'them'}.
        </Alert>
      )}
      <ul className="plain-list" aria-label="Payments that are refunded">
        {payments.map((payment) => (
          <li key={payment.payment_intent_id}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" truncate title={payment.payer_email}>
                {payment.payer_email}
              </Text>
              <Text size="sm" fw={650} td={payment.obstacle === null ? undefined : 'line-through'}>
                <Amount of={payment.amount} />
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              {payment.psp_code} ·{' '}
              {payment.slot_ids.length === 1 ? '1 slot' : `${payment.slot_ids.length} slots`}
              {payment.other_slot_ids.length > 0 && `, ${payment.other_slot_ids.length} of them not chosen`}
              {payment.tip !== undefined && (
                <>
                  {' '}
                  and a tip of <Amount of={payment.tip} />
                </>
              )}
            </Text>
            {payment.obstacle !== null && (
              <Text size="xs" c="var(--mantine-color-error)">
                Will not be refunded: {payment.obstacle}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
