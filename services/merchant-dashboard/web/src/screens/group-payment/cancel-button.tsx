import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupPaymentItem } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { FailureNote } from '../../parts/failure-note.tsx';

/** Cancels a group without captures, after explaining the effect on payers who have paid already. */
export function CancelButton({ group }: { group: GroupPaymentItem }) {
  const [isOpen, setOpen] = useState(false);
  const api = useModeApi();
  const once = useOnce();
  const cancel = useMutation({
    mutationFn: () =>
      once({ cancel: group.id }, (idempotencyKey) =>
        api.send(`/group-payments/${group.id}/cancel`, { method: 'POST', body: {}, idempotencyKey }),
      ),
    onSuccess: async () => {
      await api.changed('/group-payments');
      setOpen(false);
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Cancel
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Cancel “${group.group_name}”?`}>
        <Text size="sm" mb="md">
          Every hold is released and nobody is charged. The checkout page says that it was cancelled. This
          cannot be undone.
        </Text>
        {cancel.isError && <FailureNote error={cancel.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setOpen(false)}>
            Keep it
          </Button>
          <Button color="red.9" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the group payment
          </Button>
        </Group>
      </Modal>
    </>
  );
}
