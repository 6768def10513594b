import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { CreatedEndpoint, Endpoint, EventType } from '../../../../src/http/api.ts';
import { findFieldFault } from '../../api/field-fault.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { useTyped } from '../../shell/typed.ts';
import { EVENT_MEANINGS, EVENT_TYPES } from './event-types.ts';

type Props = {
  /** The endpoint to change; absent for a new one. */
  readonly endpoint?: Endpoint;
  readonly onClose: () => void;
  readonly onCreated?: (created: CreatedEndpoint) => void;
};

/** Registers an endpoint, or changes one. */
export function EndpointDialog({ endpoint, onClose, onCreated }: Props) {
  const api = useModeApi();
  const [url, setUrl] = useTyped('url', endpoint?.url ?? '');
  const [description, setDescription] = useTyped('description', endpoint?.description ?? '');
  const [enabled, setEnabled] = useTyped('enabled', endpoint?.enabled ?? true);
  const [types, setTypes] = useTyped<readonly EventType[]>('types', endpoint?.event_types ?? []);
  const save = useMutation({
    mutationFn: async () => {
      const given = { url: url.trim(), event_types: types };
      if (endpoint) {
        const body = { ...given, enabled, description: description.trim() || null };
        await api.send(`/webhooks/${endpoint.id}`, { method: 'PATCH', body });
        return;
      }
      const body = { ...given, ...(description.trim() && { description: description.trim() }) };
      onCreated?.(await api.send<CreatedEndpoint>('/webhooks', { method: 'POST', body }));
    },
    onSuccess: async () => {
      await api.changed('/webhooks');
      onClose();
    },
    // The response holds a secret, which must not stay in the cache.
    gcTime: 0,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const fault = findFieldFault(save.error, 'url');
  return (
    <Dialog onClose={onClose} title={endpoint ? 'Change endpoint' : 'Add an endpoint'}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="URL"
            description="https, or http on localhost"
            placeholder="https://shop.example/hooks"
            type="url"
            required
            data-autofocus
            value={url}
            error={fault}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TextInput
            label="Description"
            description="For your own use"
            maxLength={255}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {endpoint && (
            <Switch
              label="Send events"
              description="What happens while it is off is kept and can be recovered"
              checked={enabled}
              onChange={(event) => setEnabled(event.currentTarget.checked)}
            />
          )}
          <Checkbox.Group
            label="Events"
            description="None chosen means all of them"
            value={[...types]}
            onChange={(chosen) => setTypes(EVENT_TYPES.filter((type) => chosen.includes(type)))}
          >
            <Stack gap={6} mt={6}>
              {EVENT_TYPES.map((type) => (
                <Checkbox key={type} value={type} size="xs" label={type} description={EVENT_MEANINGS[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {save.isError && fault === null && <FailureNote error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" loading={save.isPending}>
              {endpoint ? 'Save' : 'Add endpoint'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
