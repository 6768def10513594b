import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { proveByPasskey } from '../api/passkeys.ts';
import { send } from '../api/send.ts';
import { CodeField, PasswordField } from '../screens/account/fields.tsx';
import { useAct } from '../screens/account/use-act.ts';
import { Dialog } from './dialog.tsx';
import { FailureNote } from './failure-note.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useMember } from '../shell/session.ts';

type DialogProps = { readonly onProved: () => void; readonly onCancel: () => void };

/** Asks for the password, a code or a passkey. */
export default function ProofDialog({ onProved, onCancel }: DialogProps) {
  const me = useMember();
  return (
    <Dialog onClose={onCancel} title="Is it you?" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">This could cost money in the wrong hands, so we ask again after ten minutes.</Text>
        {me?.has_passkey && (
          <>
            <PasskeyButton use={proveByPasskey} onDone={onProved} />
            <Divider label="or" />
          </>
        )}
        <ProofForm hasCode={me?.has_second_factor ?? false} onProved={onProved} onCancel={onCancel} />
      </Stack>
    </Dialog>
  );
}

function ProofForm({ hasCode, onProved, onCancel }: DialogProps & { readonly hasCode: boolean }) {
  const [given, setGiven] = useState('');
  const { act, isBusy, error, findFault } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // In React's tree the dialog is inside the screen's own form.
    event.stopPropagation();
    void act(async () => {
      await send('/api/reauthenticate', {
        method: 'POST',
        body: hasCode ? { code: given } : { password: given },
      });
      onProved();
    });
  };
  const fault = findFault('password') ?? findFault('code');
  return (
    <form onSubmit={submit}>
      <Stack>
        {error !== undefined && fault === undefined && <FailureNote error={error} />}
        {hasCode ? (
          <CodeField value={given} onChange={setGiven} error={fault} />
        ) : (
          <PasswordField value={given} onChange={setGiven} error={fault} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
