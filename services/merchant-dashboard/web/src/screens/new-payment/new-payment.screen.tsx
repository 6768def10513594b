import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import type { CreatedByHand, GroupPaymentDetail, Setup } from '../../../../src/http/api.ts';
import { useModeApi, useRead } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { ForOtherRoles, nameRoles } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { permissionFor } from '../../shell/permissions.ts';
import { useMay, useMayCreate } from '../../shell/session.ts';
import { useUsualOrganiser } from '../organisers/usual-organiser.ts';
import { BillForm } from './bill-form.tsx';
import { copyBill, newBill } from './bill.ts';
import { CardsAreCharged } from './cards-are-charged.tsx';
import { Made } from './made.tsx';
import { isNextStep } from './next-step.ts';

const HEADS = {
  test: {
    title: 'New test payment',
    lead: 'Create a bill as your server would, and pay it with a sandbox card.',
  },
  live: {
    title: 'New live payment',
    lead: 'Create a bill without code, and send its link to those who pay.',
  },
};

/** Creates a group payment without code; it is paid on its checkout page. */
export default function NewPayment() {
  const mode = useMode();
  const mayCreate = useMayCreate();
  // What was made in one mode is not shown in the other.
  return <Page {...HEADS[mode]}>{mayCreate ? <Create key={mode} /> : <NotAllowed />}</Page>;
}

function Create() {
  const api = useModeApi();
  const once = useOnce();
  const setup = useRead<Setup>('/setup');
  const like = useSearchParams()[0].get('like');
  const { data: copied, isLoading } = useRead<GroupPaymentDetail>(`/group-payments/${like}`, {
    enabled: like !== null,
  });
  const { state } = useLocation() as { state: unknown };
  const { setting: usual } = useUsualOrganiser();
  const make = useMutation({
    mutationFn: (body: object) =>
      once(body, (idempotencyKey) =>
        api.send<CreatedByHand>('/group-payments', { method: 'POST', body, idempotencyKey }),
      ),
    onSuccess: async () => {
      await Promise.all([api.changed('/group-payments'), api.changed('/setup')]);
    },
  });
  const isLive = api.mode === 'live';
  if (isLive && setup.isError)
    return <FailureNote error={setup.error} onRetry={() => void setup.refetch()} />;
  if (isLoading || (isLive && setup.isPending))
    return <Skeleton height={420} role="status" aria-label="Loading" />;
  if (make.data) return <Made made={make.data} onAnother={() => make.reset()} />;
  const hasGateway = setup.data?.active_gateway !== null;
  if (isLive && !hasGateway) return <NoLiveGateway />;
  return (
    <Section title="The bill">
      {isLive && <CardsAreCharged />}
      {!hasGateway && <CannotBePaid />}
      <BillForm
        mode={api.mode}
        initial={copied ? copyBill(copied) : newBill(api.mode)}
        usual={usual.data?.organiser_rights ?? []}
        isFocused={isNextStep(state)}
        isRunning={make.isPending}
        error={make.error}
        onMake={(body) => make.mutate(body)}
      />
    </Section>
  );
}

function CannotBePaid() {
  const permission = permissionFor('gateways', 'test');
  const mayConnect = useMay(permission);
  return (
    <Text size="sm" mb="md">
      No gateway is connected in test mode: it can be made, but not be paid.{' '}
      {mayConnect ? (
        <Anchor component={Link} to="/test/gateways" size="sm">
          Connect one first
        </Anchor>
      ) : (
        `Only ${nameRoles(permission)} can connect one: ask one of them`
      )}
      .
    </Text>
  );
}

function NoLiveGateway() {
  const permission = permissionFor('gateways', 'live');
  const mayConnect = useMay(permission);
  return (
    <EmptyState
      icon="plug"
      title="No gateway is connected in live mode"
      action={
        mayConnect && (
          <Button component={Link} to="/live/gateways">
            Open gateways
          </Button>
        )
      }
    >
      Live payments go to your own payment gateway, with your own contract. Once one is connected, you can
      make bills here. {!mayConnect && `Only ${nameRoles(permission)} can connect one: ask one of them.`}
    </EmptyState>
  );
}

function NotAllowed() {
  const mode = useMode();
  return (
    <ForOtherRoles permission={permissionFor('payments', mode)} to="make the bill">
      {mode === 'live' && 'Live payments charge real cards.'}
    </ForOtherRoles>
  );
}
