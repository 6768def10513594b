import { Button, Code, Group, Skeleton, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry, AuditPage } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { useMay } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { ForOtherRoles } from '../../parts/role-note.tsx';
import { ScrolledTable } from '../../parts/scrolled-table.tsx';
import { When } from '../account/when.tsx';

/** Shows the audit log, newest first. Entries cannot be changed or deleted. */
export default function AuditScreen() {
  const mayRead = useMay('audit.read');
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    enabled: mayRead,
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      send<AuditPage>(`/api/audit?limit=50${pageParam === '' ? '' : `&cursor=${pageParam}`}`),
    getNextPageParam: (page: AuditPage) => page.next_cursor,
  });
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  if (!mayRead)
    return (
      <Page title="Audit log">
        <ForOtherRoles permission="audit.read" to="look something up">
          It says who did what in this account.
        </ForOtherRoles>
      </Page>
    );
  return (
    <Page
      title="Audit log"
      lead="Who did what. Entries cannot be changed or deleted."
      actions={<Downloads of="audit log" files={[{ title: 'Audit log', path: '/api/audit/export' }]} />}
    >
      {audit.isPending && <Skeleton height={320} />}
      {audit.isError && <FailureNote error={audit.error} onRetry={() => void audit.refetch()} />}
      {entries.length > 0 && <Entries entries={entries} />}
      {audit.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            Show older entries
          </Button>
        </Group>
      )}
    </Page>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ScrolledTable name="Audit log" minWidth={640}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Details</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ id, at, actor, action, details }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <When at={at} />
              </Table.Td>
              <Table.Td data-heading="Who">
                <div>{actor}</div>
              </Table.Td>
              <Table.Td data-heading="What">
                <Code>{action}</Code>
              </Table.Td>
              <Table.Td data-heading="Details">
                <Text component="div" size="sm">
                  {formatDetails(details)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrolledTable>
  );
}

/** Formats details as `mode test, name server`. */
function formatDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');
}
