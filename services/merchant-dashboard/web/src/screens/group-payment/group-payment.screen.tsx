import { Alert, Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { GroupPaymentDetail } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay, useMayCreate } from '../../shell/session.ts';
import { isMoving } from '../group-payments/states.ts';
import { CancelButton } from './cancel-button.tsx';
import { Organiser } from './organiser.tsx';
import { QrButton } from './qr-button.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { RollLinkButton } from './roll-link-button.tsx';
import { Slots } from './slots.tsx';
import { Summary } from './summary.tsx';
import { Timeline } from './timeline.tsx';

/** Changes are announced; an announcement that was lost is made up for at this interval while the state may change, ms. */
const WATCH_MS = 30_000;

/** Shows one group payment: the payers and their payments, the timeline, and the possible actions. */
export default function GroupPayment() {
  const { id = '' } = useParams();
  const mode = useMode();
  const { data, error, refetch } = useRead<GroupPaymentDetail>(`/group-payments/${id}`, {
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? WATCH_MS : false),
  });
  if (!data)
    return (
      <Page title="Group payment">
        {error ? <FailureNote error={error} onRetry={() => void refetch()} /> : <Placeholder />}
        <Anchor component={Link} to={`/${mode}/group-payments`} mt="md" display="inline-block">
          All group payments
        </Anchor>
      </Page>
    );
  return <Known detail={data} />;
}

function Known({ detail }: { detail: GroupPaymentDetail }) {
  const { group_payment: group } = detail;
  const [refunding, setRefunding] = useState<readonly string[] | 'all'>();
  const mayMoveMoney = useMay('payments.manage');
  const mode = useMode();
  const mayCreate = useMayCreate();
  const mayReplaceLink = useMay('sessions.revoke');
  const actions = (
    <>
      <Button
        component="a"
        href={group.checkout_url}
        target="_blank"
        rel="noreferrer"
        variant="default"
        rightSection={<Icon name="external" size={16} />}
      >
        Checkout page
      </Button>
      <QrButton url={group.checkout_url} name={group.group_name} />
      {mayCreate && (
        <Button component={Link} to={`/${mode}/group-payments/new?like=${group.id}`} variant="default">
          Duplicate
        </Button>
      )}
      {mayReplaceLink && <RollLinkButton link="checkout" groupId={group.id} url={group.checkout_url} />}
      {mayMoveMoney && detail.can_refund && (
        <Button variant="default" onClick={() => setRefunding('all')}>
          Refund everything
        </Button>
      )}
      {mayMoveMoney && detail.can_cancel && <CancelButton group={group} />}
    </>
  );
  const heading = (
    <>
      {group.group_name} <StateBadge state={group.state} />
      {detail.payments.some(({ is_disputed }) => is_disputed) && (
        <>
          {' '}
          <StateBadge state="disputed" />
        </>
      )}
    </>
  );
  return (
    <Page title={heading} actions={actions}>
      {detail.payments.some(({ is_unknown }) => is_unknown) && (
        <Alert color="yellow" mb="lg" icon={<Icon name="warning" />} title="An outcome is being verified">
          A gateway has not said yet what became of a payment. It is asked until it does; nothing is sent
          twice.
        </Alert>
      )}
      {group.state === 'refund_failed' && (
        <Alert
          color="yellow"
          mb="lg"
          icon={<Icon name="warning" />}
          title="The last refund gave nothing back"
        >
          A disputed payment waits for the end of its dispute. Where the gateway gives nothing back through
          its API, refund the payment in the gateway’s own dashboard: it is shown here once the gateway
          reports it.
        </Alert>
      )}
      {(detail.can_refund || detail.can_cancel) && (
        <RoleNote permission="payments.manage" to="refund or cancel it" />
      )}
      <Summary detail={detail} />
      {detail.organiser && <Organiser organiser={detail.organiser} groupId={group.id} />}
      <Slots detail={detail} canRefund={mayMoveMoney && detail.can_refund} onRefund={setRefunding} />
      <Section title="Timeline">
        <Timeline detail={detail} />
      </Section>
      {Object.keys(group.metadata).length > 0 && (
        <Section title="Metadata">
          <JsonView value={group.metadata} label="Metadata as JSON" />
        </Section>
      )}
      {refunding && <RefundDialog group={group} chosen={refunding} onClose={() => setRefunding(undefined)} />}
    </Page>
  );
}

function Placeholder() {
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton height={130} />
      <Skeleton height={200} />
      <Skeleton height={320} />
    </Stack>
  );
}
