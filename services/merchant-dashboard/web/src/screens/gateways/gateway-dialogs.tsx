import { Alert, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Gateway, Mode } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { useAct } from '../account/use-act.ts';
import { ActDialog } from '../keys/key-dialogs.tsx';
import type { GatewayKind } from '../../gateway-kind.ts';

type Props = {
  readonly mode: Mode;
  readonly kind: GatewayKind;
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks for the keys of an account. They are sent once, encrypted by the adapter, and never returned. */
export function ConnectDialog({ mode, kind, onDone, onClose }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const act = useAct();
  const connect = () =>
    act.act(async () => {
      const entered = Object.entries(values).filter(([, value]) => value !== '');
      const body = { mode, psp_code: kind.psp, credentials: Object.fromEntries(entered) };
      const gateway = await send<Gateway>('/api/gateways', { method: 'POST', body });
      await onDone(
        gateway.verified
          ? `${kind.name} is connected.`
          : `${kind.name} cannot be asked about these keys now. They are used as soon as it confirms them.`,
      );
    });
  return (
    <ActDialog title={`Keys of ${kind.name}`} verb="Save" act={act} onAct={connect} onClose={onClose}>
      <Text size="sm">For {mode} mode. What you enter cannot be read again here, only replaced.</Text>
      {kind.fields.map(({ name, label, isSecret }) => {
        const Input = isSecret ? PasswordInput : TextInput;
        return (
          <Input
            key={name}
            label={label}
            name={name}
            autoComplete="off"
            spellCheck={false}
            value={values[name] ?? ''}
            error={act.findFault(name) ?? act.findFault(`credentials.${name}`)}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        );
      })}
    </ActDialog>
  );
}

type DisconnectProps = Props & { readonly openGroups: number | null };

export function DisconnectDialog({ mode, kind, openGroups, onDone, onClose }: DisconnectProps) {
  const act = useAct();
  const disconnect = () =>
    act.act(async () => {
      await send(`/api/gateways/${kind.psp}?mode=${mode}`, { method: 'DELETE' });
      await onDone(`${kind.name} is disconnected.`);
    });
  return (
    <ActDialog
      title={`Disconnect ${kind.name}`}
      verb="Disconnect"
      color="red"
      act={act}
      onAct={disconnect}
      onClose={onClose}
    >
      <Text size="sm">New payments cannot go there any more.</Text>
      {openGroups !== 0 && (
        <Alert color="orange" variant="light" title={formatOpenGroups(openGroups)}>
          <Text size="sm">They wait, and go on when you connect the same account again.</Text>
        </Alert>
      )}
    </ActDialog>
  );
}

/** How many group payments have a payment under way at a gateway; null where it is not known. */
export function formatOpenGroups(openGroups: number | null): string {
  if (openGroups === null) return 'Group payments may have money on its way there';
  return `${openGroups} group payment${openGroups === 1 ? ' has' : 's have'} money on its way there`;
}
