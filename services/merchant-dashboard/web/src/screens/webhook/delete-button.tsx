import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Endpoint } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';

/** Deletes the endpoint, after listing what is deleted with it. */
export function DeleteButton({ endpoint }: { endpoint: Endpoint }) {
  const api = useModeApi();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.send(`/webhooks/${endpoint.id}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await navigate(`/${api.mode}/webhooks`);
      await api.changed('/webhooks');
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete this endpoint?">
        <Text size="sm" mb="md">
          Nothing more is sent to {endpoint.url}, and its deliveries can no longer be read. The events
          themselves stay. To pause it instead, change it and turn sending off.
        </Text>
        {remove.isError && <FailureNote error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setOpen(false)}>
            Keep it
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete endpoint
          </Button>
        </Group>
      </Modal>
    </>
  );
}
