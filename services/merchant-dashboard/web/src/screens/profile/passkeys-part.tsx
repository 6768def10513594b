import { Badge, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Passkey, Passkeys } from '../../../../src/http/api.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { useAct } from '../account/use-act.ts';
import { When } from '../account/when.tsx';

const AT = '/api/profile/passkeys';

/** Shows the user's passkeys, adds one of this device or of another, and removes them. */
export function PasskeysPart() {
  const queries = useQueryClient();
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => send<Passkeys>(AT) });
  const { act, isBusy, error } = useAct();
  const again = () =>
    Promise.all([passkeys.refetch(), queries.invalidateQueries({ queryKey: ['me'] })]).then(() => undefined);
  const remove = (id: string) =>
    void act(async () => {
      await send(`${AT}/${id}`, { method: 'DELETE' });
      await again();
    });
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Passkeys
      </Title>
      <Stack>
        <Text size="sm">
          A passkey logs you in with your fingerprint, your face or the PIN of a device, without a password.
          It counts as a second factor, too. Add one on each device, or one that your devices share.
        </Text>
        {passkeys.isPending && <Skeleton height={60} />}
        {passkeys.isError && <FailureNote error={passkeys.error} />}
        {error !== undefined && <FailureNote error={error} />}
        {passkeys.data?.passkeys.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} isBusy={isBusy} onRemove={() => remove(passkey.id)} />
        ))}
        <AddForm onAdded={again} />
      </Stack>
    </section>
  );
}

type RowProps = { readonly passkey: Passkey; readonly isBusy: boolean; readonly onRemove: () => void };

function Row({ passkey: { name, is_synced, created_at, last_used_at }, isBusy, onRemove }: RowProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {name} {is_synced && <Badge size="sm">Shared by your devices</Badge>}
        </Text>
        <Text size="xs" c="dimmed">
          added <When at={created_at} />
          {last_used_at !== null && (
            <>
              , last used <When at={last_used_at} />
            </>
          )}
        </Text>
      </div>
      <Button size="xs" variant="default" disabled={isBusy} onClick={onRemove}>
        Remove<span className="visually-hidden"> {name}</span>
      </Button>
    </Group>
  );
}

function AddForm({ onAdded }: { onAdded: () => Promise<void> }) {
  const [name, setName] = useState('');
  const { act, isBusy, error, findFault } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () => {
      await addPasskey(name);
      setName('');
      await onAdded();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {error !== undefined && findFault('name') === undefined && <FailureNote error={error} />}
        <TextInput
          label="Name of the new passkey"
          description="So that you can tell it from your others, for example the name of the device."
          required
          maxLength={60}
          value={name}
          error={findFault('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            Add a passkey
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
