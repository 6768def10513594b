import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState, type SubmitEvent } from 'react';
import type { FilteredList, SavedFilter } from '../../../src/http/api.ts';
import { useModeApi } from '../api/mode-api.ts';
import { useAct } from '../screens/account/use-act.ts';
import { Dialog } from './dialog.tsx';
import { FailureNote } from './failure-note.tsx';

const LONGEST_NAME = 100;
const AT = '/saved-filters';

type SaveProps = {
  readonly list: FilteredList;
  readonly filters: Readonly<Record<string, string>>;
  readonly onClose: () => void;
};

/** Asks for a name and saves filters under it. */
export function SaveDialog({ list, filters, onClose }: SaveProps) {
  const [name, setName] = useState('');
  const api = useModeApi();
  const { act, isBusy, error, findFault } = useAct();
  const fault = findFault('name');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await api.send(AT, { method: 'POST', body: { list, name, filters } });
      await api.changed(AT);
      notifications.show({ message: 'The filters are saved.' });
      onClose();
    });
  };
  return (
    <Dialog onClose={onClose} title="Save these filters">
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && fault === undefined && <FailureNote error={error} />}
          <TextInput
            label="Name"
            description="Only you see it, on every device where you log in."
            data-autofocus
            required
            maxLength={LONGEST_NAME}
            value={name}
            error={fault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Renames and deletes the saved filters of a list. */
export function ManageDialog({ saved, onClose }: { saved: readonly SavedFilter[]; onClose: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <Dialog onClose={onClose} title="Saved filters">
      {saved.length === 0 && <Text size="sm">No filters of this list are saved.</Text>}
      <ul className="plain-list" aria-label="Saved filters" tabIndex={-1} ref={list}>
        {saved.map((filter) => (
          <li key={filter.id}>
            <Kept filter={filter} onDeleted={() => list.current?.focus()} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** One saved filter. After its deletion the focus is to stay in the dialog. */
function Kept({ filter, onDeleted }: { filter: SavedFilter; onDeleted: () => void }) {
  const { id, name: known } = filter;
  const [name, setName] = useState(known);
  const api = useModeApi();
  const { act, isBusy, error, findFault } = useAct();
  const fault = findFault('name');
  const change = (done: string, request: Parameters<typeof api.send>[1]) =>
    act(async () => {
      await api.send(`${AT}/${id}`, request);
      await api.changed(AT);
      notifications.show({ message: done });
    });
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    void change(`"${known}" is now "${name}".`, { method: 'PATCH', body: { name } });
  };
  return (
    <form onSubmit={rename}>
      {error !== undefined && fault === undefined && <FailureNote error={error} />}
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label={`Name of ${known}`}
          required
          maxLength={LONGEST_NAME}
          value={name}
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={name === known || isBusy}
          aria-label={`Rename ${known}`}
        >
          Rename
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={`Delete ${known}`}
          onClick={() => void change(`"${known}" is deleted.`, { method: 'DELETE' }).then(onDeleted)}
        >
          Delete
        </Button>
      </Group>
    </form>
  );
}
