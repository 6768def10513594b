import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { CreatedEndpoint, Endpoint, EndpointHealth, EndpointList } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Rows, SkeletonRows } from '../../parts/rows.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Badge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { describeHealth } from './health.ts';

const COLUMNS = [
  ['Endpoint', 'minmax(0, 3fr)'],
  ['Events', '110px'],
  ['Last 24 hours', '220px'],
  ['State', '90px'],
] as const;

/** Shows the webhook endpoints and their health. */
export default function Webhooks() {
  const mode = useMode();
  const list = useRead<EndpointList>('/webhooks');
  const mayManage = useMay('webhooks.manage');
  const [isAdding, setAdding] = useTyped('adding', false);
  const [created, setCreated] = useState<CreatedEndpoint>();
  const add = mayManage && (
    <Button onClick={() => setAdding(true)} leftSection={<Icon name="plus" size={16} />}>
      Add endpoint
    </Button>
  );
  const { endpoints = [], health = [] } = list.data ?? {};
  return (
    <Page
      title="Webhooks"
      lead="Your server hears of payments by signed requests to its endpoints."
      actions={add}
    >
      <RoleNote permission="webhooks.manage" to="add or change endpoints" />
      {created && (
        <SecretOnce
          label={`Signing secret of ${created.url}`}
          secret={created.secret}
          onDone={() => setCreated(undefined)}
        />
      )}
      {list.isError && <FailureNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <SkeletonRows count={3} />}
      {list.data && endpoints.length === 0 && (
        <EmptyState icon="bell" title="No endpoints yet" action={add}>
          An endpoint is an address of your server. It is told when money is held, captured, given back or
          fails, with a signature your server verifies. What was missed can be sent again for 30 days.
        </EmptyState>
      )}
      {endpoints.length > 0 && (
        <Rows
          label="Webhook endpoints"
          columns={COLUMNS}
          items={endpoints}
          toKey={({ id }) => id}
          toHref={({ id }) => `/${mode}/webhooks/${id}`}
          cells={(endpoint) => renderCells(endpoint, health)}
        />
      )}
      {isAdding && <EndpointDialog onClose={() => setAdding(false)} onCreated={setCreated} />}
    </Page>
  );
}

function renderCells(endpoint: Endpoint, all: readonly EndpointHealth[]) {
  const health = describeHealth(all.find(({ endpoint_id }) => endpoint_id === endpoint.id));
  const { event_types: types } = endpoint;
  return [
    <span key="url" title={endpoint.url}>
      {endpoint.url}
      {endpoint.description && (
        <Text component="span" size="xs" c="dimmed" display="block" truncate>
          {endpoint.description}
        </Text>
      )}
    </span>,
    types.length === 0 ? 'all' : types.length === 1 ? '1 type' : `${types.length} types`,
    <Badge key="health" tone={health.tone}>
      {health.words}
    </Badge>,
    <Badge key="state" tone={endpoint.enabled ? 'info' : 'neutral'}>
      {endpoint.enabled ? 'enabled' : 'disabled'}
    </Badge>,
  ];
}
