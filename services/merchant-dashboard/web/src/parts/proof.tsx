import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent, type ReactNode } from 'react';

import { ApiFailure } from '../api/failure.ts';
import { send } from '../api/send.ts';
import { CodeField, PasswordField } from '../screens/account/fields.tsx';
import { useAct } from '../screens/account/use-act.ts';
import { FailureNote } from './failure-note.tsx';
import { useMember } from '../shell/session.ts';

type Waiting = { readonly resume: () => void; readonly abandon: (reason: unknown) => void };

/**
 * Runs an action that may need a fresh proof of identity. When the backend requires it, a dialog asks for the
 * password or a code, and the same action is tried again. The screen has to render `dialog` somewhere.
 */
export function useProof(): { run: <T>(work: () => Promise<T>) => Promise<T>; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting>();
  const run = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.param !== 'reauthenticate') throw error;
      await new Promise<void>((resume, abandon) => setWaiting({ resume, abandon: () => abandon(error) }));
      return work();
    }
  };
  const close = (end: (waiting: Waiting) => void): void => {
    setWaiting(undefined);
    if (waiting) end(waiting);
  };
  const dialog = waiting && (
    <ProofDialog
      onProved={() => close(({ resume }) => resume())}
      onCancel={() => close(({ abandon }) => abandon(undefined))}
    />
  );
  return { run, dialog };
}

function ProofDialog({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) {
  const me = useMember();
  const hasCode = me?.has_second_factor ?? false;
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
    <Modal opened onClose={onCancel} title="Is it you?" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">This could cost money in the wrong hands, so we ask again after ten minutes.</Text>
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
    </Modal>
  );
}
