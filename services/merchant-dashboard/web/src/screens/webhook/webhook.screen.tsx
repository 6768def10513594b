import { Anchor, Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Endpoint, EndpointList } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Badge } from '../../parts/state-badge.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { EndpointDialog } from '../webhooks/endpoint-dialog.tsx';
import { DeleteButton } from './delete-button.tsx';
import { Deliveries } from './deliveries.tsx';
import { Overview } from './overview.tsx';
import { Recover } from './recover.tsx';
import { RollButton } from './roll-button.tsx';
import { TestEvent } from './test-event.tsx';

/** Shows one endpoint: its health, its deliveries, and ways to send them again. */
export default function Webhook() {
  const { id = '' } = useParams();
  const mode = useMode();
  const endpoint = useRead<Endpoint>(`/webhooks/${id}`);
  return (
    <>
      {endpoint.data ? (
        <Known endpoint={endpoint.data} />
      ) : (
        <Page title="Webhook endpoint">
          {endpoint.isError ? (
            <FailureNote error={endpoint.error} onRetry={() => void endpoint.refetch()} />
          ) : (
            <Skeleton height={320} role="status" aria-label="Loading" />
          )}
        </Page>
      )}
      <Anchor component={Link} to={`/${mode}/webhooks`}>
        All endpoints
      </Anchor>
    </>
  );
}

function Known({ endpoint }: { endpoint: Endpoint }) {
  const list = useRead<EndpointList>('/webhooks');
  const health = list.data?.health.find(({ endpoint_id }) => endpoint_id === endpoint.id);
  const mayManage = useMay('webhooks.manage');
  const mayResend = useMay('webhooks.resend');
  const [isEditing, setEditing] = useTyped('editing', false);
  const [secret, setSecret] = useState<string>();
  const heading = (
    <>
      <span className="address">{endpoint.url}</span>{' '}
      <Badge tone={endpoint.enabled ? 'info' : 'neutral'}>{endpoint.enabled ? 'enabled' : 'disabled'}</Badge>
    </>
  );
  const actions = mayManage && (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        Change
      </Button>
      <RollButton endpoint={endpoint} onRolled={setSecret} />
      <DeleteButton endpoint={endpoint} />
    </>
  );
  return (
    <Page title={heading} lead={endpoint.description} actions={actions}>
      <RoleNote permission="webhooks.manage" to="change or delete this endpoint" />
      <RoleNote permission="webhooks.resend" to="send deliveries again" />
      {secret !== undefined && (
        <SecretOnce label="New signing secret" secret={secret} onDone={() => setSecret(undefined)} />
      )}
      <Overview endpoint={endpoint} health={health} />
      {mayResend && <TestEvent endpoint={endpoint} />}
      <Deliveries endpoint={endpoint} mayResend={mayResend} />
      {mayResend && <Recover endpoint={endpoint} />}
      {isEditing && <EndpointDialog endpoint={endpoint} onClose={() => setEditing(false)} />}
    </Page>
  );
}
