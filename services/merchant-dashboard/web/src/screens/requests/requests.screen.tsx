import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { LoggedRequest, RequestPage } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, Rows, SkeletonRows } from '../../parts/rows.tsx';
import { useMode } from '../../shell/mode.ts';
import { FILTERS, RequestFilters } from './request-filters.tsx';
import { Answer, formatDuration, formatKey } from './request-parts.tsx';

const COLUMNS = [
  ['Request', 'minmax(0, 3fr)'],
  ['Answer', 'minmax(0, 2fr)'],
  ['Took', '80px'],
  ['Key', 'minmax(0, 1fr)'],
  ['Request id', 'minmax(0, 1fr)'],
  ['When', '170px'],
] as const;

/** The interval at which the first page is refreshed, ms: requests are not announced. */
const WATCH_MS = 5_000;

/** Shows the requests of the last 30 days to the API, newest first, whatever key they were made with. */
export default function Requests() {
  const mode = useMode();
  const address = useFilters(FILTERS);
  const page = useRead<RequestPage>(
    `/requests${formatQuery({ ...address.filters, cursor: address.cursor })}`,
    {
      refetchInterval: ({ state }) =>
        address.cursor === undefined && state.status === 'success' ? WATCH_MS : false,
    },
  );
  const [isAsked, setAsked] = useState(false);
  const reload = async (): Promise<void> => {
    setAsked(true);
    await page.refetch();
    setAsked(false);
  };
  const requests = page.data?.requests ?? [];
  const actions = (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        loading={isAsked}
        onClick={() => void reload()}
      >
        Refresh
      </Button>
      <Downloads
        of="requests"
        files={[{ title: 'Requests', path: `/api/${mode}/requests/export`, query: address.filters }]}
      />
    </>
  );
  return (
    <Page
      title="Requests"
      lead="What was sent to the API in the last 30 days, and how it was answered."
      actions={actions}
    >
      <RequestFilters address={address} />
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {page.data && requests.length === 0 && (
        <Nothing hasMore={page.data.next_cursor !== null} isFiltered={address.isFiltered} />
      )}
      {requests.length > 0 && (
        <Rows
          label="Requests"
          columns={COLUMNS}
          items={requests}
          toKey={({ id }) => id}
          toHref={({ id }) => `/${mode}/requests/${id}`}
          cells={renderCells}
        />
      )}
      {page.data && <Pager next={page.data.next_cursor} />}
    </Page>
  );
}

const renderCells = (request: LoggedRequest) => [
  <span key="request" title={request.path}>
    <span className="method">{request.method}</span> {request.path}
  </span>,
  <Answer key="answer" request={request} />,
  formatDuration(request.duration_ms),
  formatKey(request.key),
  <code key="id" className="identifier" title={request.request_id}>
    {request.request_id}
  </code>,
  <Instant key="when" at={request.created_at} hasSeconds />,
];

/** A page looks at 10,000 requests at most, so that one without a match may have more behind it. */
function Nothing({ hasMore, isFiltered }: { hasMore: boolean; isFiltered: boolean }) {
  if (hasMore)
    return (
      <Text size="sm" c="dimmed" role="status">
        None of the newest requests matches. The next page looks at older ones.
      </Text>
    );
  return (
    <EmptyState icon="code" title={isFiltered ? 'Nothing matches' : 'No requests yet'}>
      {isFiltered
        ? 'No request of the last 30 days fits what you are looking for.'
        : 'Each request that your server, or a page of yours, makes to the API appears here within a second.'}
    </EmptyState>
  );
}
