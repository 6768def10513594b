import { Button, Text, Title } from '@mantine/core';
import { Navigate } from 'react-router';
import type { GroupPaymentSearch } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { SkeletonRows } from '../../parts/rows.tsx';
import { useMode } from '../../shell/mode.ts';
import { CustomerRows } from '../customers/customer-rows.tsx';
import { GroupRows } from './group-rows.tsx';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Shows the group payments and the customers that a text names; an id leads to its group payment at once. */
export function Found({ text, onClear }: { text: string; onClear: () => void }) {
  const mode = useMode();
  const found = useRead<GroupPaymentSearch>(`/search${formatQuery({ text })}`);
  const groups = found.data?.group_payments ?? [];
  const customers = found.data?.customers ?? [];
  const [only, ...others] = groups;
  if (only && others.length === 0 && ID.test(text))
    return <Navigate to={`/${mode}/group-payments/${only.id}`} replace />;
  return (
    <>
      {found.isError && <FailureNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonRows />}
      {found.data && groups.length === 0 && customers.length === 0 && (
        <EmptyState
          icon="search"
          title="Nothing matches"
          action={
            <Button variant="default" onClick={onClear}>
              Show all
            </Button>
          }
        >
          No group payment of this mode has a name, order number, reference, payer or id that begins like
          this, or a link that was replaced since. An e-mail address has to be complete.
        </EmptyState>
      )}
      {groups.length > 0 && <GroupRows groups={groups} />}
      {found.data?.is_cut && (
        <Text size="sm" c="dimmed" mt="md" role="status">
          These are the newest {groups.length}. Type more to find older ones.
        </Text>
      )}
      {customers.length > 0 && (
        <>
          <Title order={2} size="h4" mt="xl" mb="sm">
            Customers
          </Title>
          <CustomerRows customers={customers} />
        </>
      )}
      {found.data?.is_customers_cut && (
        <Text size="sm" c="dimmed" mt="md" role="status">
          These are the {customers.length} with the latest payments. Type more to find others.
        </Text>
      )}
    </>
  );
}
