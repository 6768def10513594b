import { Alert, Button, Group, Text } from '@mantine/core';
import type { RefundResult } from '../../../../src/http/api.ts';
import { Icon } from '../../parts/icon.tsx';

/** Shows the result of a refund, payment by payment. */
export function RefundOutcome({ result, onClose }: { result: RefundResult; onClose: () => void }) {
  const { refunded_payment_intents: refunded, failed } = result;
  return (
    <div role="status">
      {refunded.length > 0 && (
        <Alert
          color="green"
          icon={<Icon name="check" />}
          mb="sm"
          title={formatPaymentCount(refunded.length, 'refunded')}
        >
          The gateways have accepted it. Payers see the money within a few days.
        </Alert>
      )}
      {failed.length > 0 && (
        <Alert
          color="red"
          icon={<Icon name="warning" />}
          title={formatPaymentCount(failed.length, 'not refunded')}
        >
          <ul className="plain-list">
            {failed.map(({ payment_intent_id, psp_code, error }) => (
              <li key={payment_intent_id}>
                <Text size="sm">
                  {psp_code}: {error}
                </Text>
                <Text size="xs" c="dimmed">
                  payment {payment_intent_id}
                </Text>
              </li>
            ))}
          </ul>
          <Text size="sm">
            Where the outcome is being verified it may still succeed: the timeline tells. Others can be tried
            again, or given back in the gateway’s own dashboard.
          </Text>
        </Alert>
      )}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </div>
  );
}

function formatPaymentCount(count: number, what: string): string {
  return count === 1 ? `1 payment ${what}` : `${count} payments ${what}`;
}
