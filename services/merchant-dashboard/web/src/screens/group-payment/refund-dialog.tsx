import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { GroupPaymentItem, RefundPreview, RefundResult } from '../../../../src/http/api.ts';
import { formatQuery, useModeApi, useRead } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { formatMoney } from '../../format/money.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { RefundOutcome } from './refund-outcome.tsx';
import { RefundPlan } from './refund-plan.tsx';

type Props = {
  readonly group: GroupPaymentItem;
  /** The slots to refund; all of them with every payment. */
  readonly chosen: readonly string[] | 'all';
  readonly onClose: () => void;
};

/**
 * Shows which payments a refund covers, asks for confirmation, runs it, and reports the result of each payment.
 */
export function RefundDialog({ group, chosen, onClose }: Props) {
  const api = useModeApi();
  const once = useOnce();
  const path = `/group-payments/${group.id}`;
  const slotIds = chosen === 'all' ? undefined : chosen;
  const refund = useMutation({
    mutationFn: () => {
      const body = slotIds ? { slot_ids: slotIds } : {};
      return once({ refund: group.id, body }, (idempotencyKey) =>
        api.send<RefundResult>(`${path}/refund`, { method: 'POST', body, idempotencyKey }),
      );
    },
    onSettled: () => api.changed('/group-payments'),
  });
  return (
    <Dialog
      // The dialog shows the result of the refund, so it cannot be closed before that.
      onClose={refund.isPending ? keepOpen : onClose}
      size="lg"
      title={slotIds ? 'Refund slots' : `Refund all of “${group.group_name}”`}
    >
      {refund.data ? (
        <RefundOutcome result={refund.data} onClose={onClose} />
      ) : (
        <Plan
          query={`${path}/refund-preview${formatQuery({ slot_ids: slotIds?.join(',') })}`}
          isRunning={refund.isPending}
          onConfirm={() => refund.mutate()}
          onClose={onClose}
        />
      )}
      {refund.isError && <FailureNote error={refund.error} />}
    </Dialog>
  );
}

const keepOpen = (): void => undefined;

function Plan(props: { query: string; isRunning: boolean; onConfirm: () => void; onClose: () => void }) {
  // Each dialog begins without the plan of an earlier one. It is read again when the group changes, and the button stays usable
  // meanwhile: a button that is disabled while it is pressed reports no click. It is not read again while the refund runs:
  // afterwards nothing is left to refund.
  const preview = useRead<RefundPreview>(props.query, { enabled: !props.isRunning, gcTime: 0 });
  const canAny = preview.data?.payments.some(({ obstacle }) => obstacle === null) ?? false;
  return (
    <>
      {preview.isPending && <Skeleton height={120} role="status" aria-label="Loading" />}
      {preview.isError && !props.isRunning && (
        <FailureNote error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.data && <RefundPlan preview={preview.data} />}
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" role="status">
          {props.isRunning ? 'The gateways are asked; this takes up to 20 seconds.' : ''}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={props.onClose} disabled={props.isRunning}>
            Back
          </Button>
          <Button color="red.9" disabled={!canAny} loading={props.isRunning} onClick={props.onConfirm}>
            {preview.data ? `Refund ${formatMoney(preview.data.total)}` : 'Refund'}
          </Button>
        </Group>
      </Group>
    </>
  );
}
