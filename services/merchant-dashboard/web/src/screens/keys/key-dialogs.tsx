import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import type { CreatedKey, ListedKey } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { useAct } from '../account/use-act.ts';

export type Ends = { readonly onDone: (key?: CreatedKey) => Promise<void>; readonly onClose: () => void };

const OVERLAPS = [
  { value: '0', label: 'End at once' },
  { value: '3600', label: 'One more hour' },
  { value: '86400', label: 'One more day' },
  { value: '604800', label: 'One more week' },
];

export function RollDialog({ apiKey, onDone, onClose }: Ends & { apiKey: ListedKey }) {
  const [overlap, setOverlap] = useState('86400');
  const act = useAct();
  const body = { overlap_seconds: Number(overlap) };
  const roll = () =>
    act.act(async () =>
      onDone(await send<CreatedKey>(`/api/keys/${apiKey.id}/roll`, { method: 'POST', body })),
    );
  return (
    <ActDialog title={`Roll “${apiKey.name}”`} verb="Roll key" act={act} onAct={roll} onClose={onClose}>
      <Text size="sm">You get a new key with the same name. Until the old one ends, both work.</Text>
      <Select
        label="The old key"
        data={OVERLAPS}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap(value ?? overlap)}
      />
    </ActDialog>
  );
}

export function RevokeDialog({ apiKey, onDone, onClose }: Ends & { apiKey: ListedKey }) {
  const act = useAct();
  const revoke = () =>
    act.act(async () => {
      await send(`/api/keys/${apiKey.id}`, { method: 'DELETE' });
      await onDone();
    });
  return (
    <ActDialog
      title={`Revoke “${apiKey.name}”`}
      verb="Revoke now"
      color="red"
      act={act}
      onAct={revoke}
      onClose={onClose}
    >
      <Text size="sm">
        Requests with it are refused within a second, and it cannot be brought back. To change keys without an
        interruption, roll it instead.
      </Text>
    </ActDialog>
  );
}

type ActDialogProps = {
  readonly title: string;
  readonly verb: string;
  readonly color?: string;
  readonly act: ReturnType<typeof useAct>;
  readonly onAct: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog that asks for confirmation of one action. */
export function ActDialog({ title, verb, color, act, onAct, onClose, children }: ActDialogProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void onAct();
  };
  return (
    <Dialog onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack>
          {act.error !== undefined && <FailureNote error={act.error} />}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isBusy} {...(color !== undefined && { color })}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
