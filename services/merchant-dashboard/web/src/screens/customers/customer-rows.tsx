import type { CustomerItem } from '../../../../src/http/api.ts';
import { Instant } from '../../parts/instant.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useMode } from '../../shell/mode.ts';
import { formatName } from './customer-name.ts';

const COLUMNS = [
  ['Name', 'minmax(0, 2fr)'],
  ['E-mail address', 'minmax(0, 3fr)'],
  ['First payment', '180px'],
  ['Latest payment', '180px'],
] as const;

/** Customers as rows that lead to them. */
export function CustomerRows({ customers }: { customers: readonly CustomerItem[] }) {
  const mode = useMode();
  return (
    <Rows
      label="Customers"
      columns={COLUMNS}
      onPhones={['First payment', 'Latest payment']}
      items={customers}
      toKey={({ id }) => id}
      toHref={({ id }) => `/${mode}/customers/${id}`}
      cells={renderCells}
    />
  );
}

const renderCells = (customer: CustomerItem) => [
  formatName(customer),
  <span key="email" title={customer.email}>
    {customer.email}
  </span>,
  <Instant key="first" at={customer.created_at} />,
  <Instant key="latest" at={customer.last_payment_at} />,
];
