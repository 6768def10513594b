import type { ListedGroupPayment } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Rows } from '../../parts/rows.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { HeldBar } from './held-bar.tsx';

const COLUMNS = [
  ['Name', 'minmax(0, 1fr)'],
  ['Total', '100px'],
  ['Held and captured', '120px'],
  ['State', '120px'],
  ['Order number', '190px'],
  ['Created', '180px'],
] as const;

/** Group payments as rows that lead to them. */
export function GroupRows({ groups }: { groups: readonly ListedGroupPayment[] }) {
  const mode = useMode();
  return (
    <Rows
      label="Group payments"
      columns={COLUMNS}
      items={groups}
      toKey={({ id }) => id}
      toHref={({ id }) => `/${mode}/group-payments/${id}`}
      cells={renderCells}
    />
  );
}

const renderCells = (group: ListedGroupPayment) => [
  group.group_name,
  <Amount key="total" of={group.total} />,
  group.money && <HeldBar key="held" total={group.total} money={group.money} />,
  <span key="state" className="wrapping">
    <StateBadge state={group.state} /> {group.is_disputed && <StateBadge state="disputed" />}
  </span>,
  group.merchant_order_id,
  <Instant key="created" at={group.created_at} />,
];
