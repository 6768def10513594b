import { Alert, Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Gateway, ListedGateway, Setup } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { permissionFor } from '../../shell/permissions.ts';
import { useMay } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { useMode } from '../../shell/mode.ts';
import { useAct } from '../account/use-act.ts';
import { When } from '../account/when.tsx';
import { ConnectDialog, DisconnectDialog, formatOpenGroups } from './gateway-dialogs.tsx';
import type { GatewayKind } from '../../gateway-kind.ts';
import { GATEWAYS } from '../../gateways.ts';

/** Shows the gateways of a mode, which one is active, and whether their keys work. */
export default function GatewaysScreen() {
  const mode = useMode();
  const queries = useQueryClient();
  const permission = permissionFor('gateways', mode);
  const mayManage = useMay(permission);
  const [open, setOpen] = useState<{ what: 'connect' | 'disconnect'; kind: GatewayKind }>();
  const gateways = useQuery({
    queryKey: [mode, 'gateways'],
    queryFn: () => send<{ gateways: ListedGateway[] }>(`/api/gateways?mode=${mode}`),
  });
  const setup = useQuery({
    queryKey: [mode, 'setup'],
    queryFn: () => send<Setup>(`/api/${mode}/setup`),
  });
  const close = () => setOpen(undefined);
  const done = async (message: string) => {
    close();
    notifications.show({ message });
    await queries.invalidateQueries({ queryKey: [mode] });
  };
  const connected = gateways.data?.gateways ?? [];
  const chosen = open && connected.find(({ psp_code }) => psp_code === open.kind.psp);
  return (
    <Page title="Gateways" lead="Payments go to the active gateway. Those under way stay where they began.">
      <RoleNote permission={permission} to={`connect or change ${mode} gateways`} />
      {gateways.isPending && <Skeleton height={320} />}
      {gateways.isError && <FailureNote error={gateways.error} onRetry={() => void gateways.refetch()} />}
      {gateways.data && (
        <Stack>
          {connected.length === 0 && !mayManage && <Text>No gateway is connected in {mode} mode yet.</Text>}
          {connected.length === 0 && mayManage && (
            <Alert color="cyan" variant="light" title="Connect one to take payments">
              {mode === 'test'
                ? 'The quickest way is an account at our sandbox: one click, no contract, no real money.'
                : 'You need an account there. Its keys are sealed as soon as you enter them and never shown again.'}
            </Alert>
          )}
          {GATEWAYS.map((kind) => (
            <GatewayCard
              key={kind.psp}
              kind={kind}
              gateway={connected.find(({ psp_code }) => psp_code === kind.psp)}
              mayManage={mayManage}
              hasSandbox={mode === 'test' && setup.data?.sandbox_url != null}
              onConnect={() => setOpen({ what: 'connect', kind })}
              onDisconnect={() => setOpen({ what: 'disconnect', kind })}
              onDone={done}
            />
          ))}
        </Stack>
      )}
      {open?.what === 'connect' && (
        <ConnectDialog mode={mode} kind={open.kind} onDone={done} onClose={close} />
      )}
      {open?.what === 'disconnect' && (
        <DisconnectDialog
          mode={mode}
          kind={open.kind}
          openGroups={chosen?.open_groups ?? null}

          onDone={done}
          onClose={close}
        />
      )}
    </Page>
  );
}

type CardProps = {
  readonly kind: GatewayKind;
  readonly gateway: ListedGateway | undefined;
  readonly mayManage: boolean;
  readonly hasSandbox: boolean;
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
  readonly onDone: (message: string) => Promise<void>;
};

function GatewayCard({ kind, gateway, mayManage, hasSandbox, onConnect, onDisconnect, onDone }: CardProps) {
  const mode = useMode();
  const { act, isBusy, error } = useAct();
  const { psp, name } = kind;
  const post = <T,>(method: 'POST' | 'PUT', path: string, body: object) => send<T>(path, { method, body });
  const sandbox = () =>
    act(async () => {
      await post<Gateway>('POST', '/api/test/sandbox-account', { psp_code: psp });
      await onDone(`${name} is connected to a sandbox account.`);
    });
  const verify = () =>
    act(async () => {
      const answer = await post<{ valid: boolean; reason: string | null }>('POST', '/api/gateways/verify', {
        mode,
        psp_code: psp,
      });
      await onDone(
        answer.valid ? `${name}: the keys work.` : `${name}: ${answer.reason ?? 'the keys do not work'}`,
      );
    });
  const activate = () =>
    act(async () => {
      await post('PUT', '/api/gateways/active', { mode, psp_code: psp });
      await onDone(`New payments go to ${name}.`);
    });
  return (
    <Card withBorder component="section" aria-label={name}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={2} size="h4">
              {name}
            </Title>
            {gateway?.active && <Badge>Active</Badge>}
            {gateway && !gateway.active && <Badge variant="default">Connected</Badge>}
            {gateway && !gateway.verified && <Badge color="orange">Keys not confirmed yet</Badge>}
          </Group>
          <Text size="sm" c="dimmed">
            {kind.about}
          </Text>
          {gateway && (
            <Text size="sm" mt={4}>
              Connected <When at={gateway.connected_at} />
              {!!gateway.open_groups && `. ${formatOpenGroups(gateway.open_groups)}.`}
            </Text>
          )}
        </div>
        {mayManage && (
          <Group gap="xs">
            {!gateway && hasSandbox && (
              <Button size="xs" loading={isBusy} onClick={() => void sandbox()}>
                Use a sandbox account<span className="visually-hidden"> for {name}</span>
              </Button>
            )}
            {gateway && !gateway.active && (
              <Button size="xs" loading={isBusy} onClick={() => void activate()}>
                Make active<span className="visually-hidden"> {name}</span>
              </Button>
            )}
            {gateway && (
              <Button size="xs" variant="default" loading={isBusy} onClick={() => void verify()}>
                Check keys<span className="visually-hidden"> of {name}</span>
              </Button>
            )}
            <Button size="xs" variant="default" onClick={onConnect}>
              {gateway ? 'Change keys' : 'Enter keys'}
              <span className="visually-hidden"> of {name}</span>
            </Button>
            {gateway && (
              <Button size="xs" variant="default" onClick={onDisconnect}>
                Disconnect<span className="visually-hidden"> {name}</span>
              </Button>
            )}
          </Group>
        )}
      </Group>
      {error !== undefined && <FailureNote error={error} />}
    </Card>
  );
}
