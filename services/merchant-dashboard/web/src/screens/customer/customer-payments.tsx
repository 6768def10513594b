import { Text } from '@mantine/core';
import type { CustomerPayment, CustomerPaymentPage } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Amount } from '../../parts/amount.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Pager, Rows, SkeletonRows } from '../../parts/rows.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { formatFailure } from '../group-payment/failure-words.ts';

const COLUMNS = [
  ['Group payment', 'minmax(0, 1.5fr)'],
  ['State', 'minmax(0, 1.5fr)'],
  ['Amount', '100px'],
  ['Refunded', '150px'],
  ['Gateway', '90px'],
  ['Started', '160px'],
] as const;

/** Shows the payments of a customer, newest first; each leads to its group payment. */
export function CustomerPayments({ id }: { id: string }) {
  const mode = useMode();
  const { cursor } = useFilters([]);
  const page = useRead<CustomerPaymentPage>(`/customers/${id}/payments${formatQuery({ cursor })}`);
  return (
    <Section title="Payments">
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows count={4} />}
      {page.data && (
        <>
          <Rows
            label="Payments"
            columns={COLUMNS}
            items={page.data.payments}
            toKey={(payment) => payment.id}
            toHref={(payment) => `/${mode}/group-payments/${payment.group_payment_id}`}
            cells={renderCells}
          />
          <Pager next={page.data.next_cursor} />
        </>
      )}
    </Section>
  );
}

const renderCells = (payment: CustomerPayment) => [
  payment.group_name,
  <span key="state">
    <StateBadge state={payment.state} /> {payment.is_disputed && <StateBadge state="disputed" />}
    {payment.failure && (
      <Text component="span" size="xs" c="dimmed" display="block" className="wrapping">
        {formatFailure(payment.failure)}
      </Text>
    )}
  </span>,
  <Amount key="amount" of={payment.amount} />,
  payment.refunded.minor === '0' ? null : (
    <span key="refunded">
      <Amount of={payment.refunded} /> refunded
    </span>
  ),
  payment.psp_code,
  <Instant key="started" at={payment.created_at} />,
];
