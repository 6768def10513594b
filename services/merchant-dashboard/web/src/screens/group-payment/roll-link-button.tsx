import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupPaymentItem, RolledCheckoutLink } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';

/** Replaces a checkout link that reached the wrong people, after explaining what ends with it. */
export function RollLinkButton({ group }: { group: GroupPaymentItem }) {
  const [isOpen, setOpen] = useState(false);
  const api = useModeApi();
  const once = useOnce();
  const roll = useMutation({
    mutationFn: () =>
      once({ roll: group.checkout_url }, (idempotencyKey) =>
        api.send<RolledCheckoutLink>(`/group-payments/${group.id}/roll-checkout-link`, {
          method: 'POST',
          body: {},
          idempotencyKey,
        }),
      ),
    onSuccess: () => api.changed('/group-payments'),
  });
  const open = () => {
    roll.reset();
    setOpen(true);
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Replace link
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Replace the checkout link?">
        {roll.data ? (
          <NewLink url={roll.data.checkout_url} />
        ) : (
          <Text size="sm" mb="md">
            For a link that reached the wrong people. The old link stops working at once, and every page that
            is open with it ends. Payments that were started stay as they are. You have to send the new link
            to your payers.
          </Text>
        )}
        {roll.isError && <FailureNote error={roll.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setOpen(false)}>
            {roll.data ? 'Close' : 'Keep it'}
          </Button>
          {!roll.data && (
            <Button color="red.9" loading={roll.isPending} onClick={() => roll.mutate()}>
              Replace the link
            </Button>
          )}
        </Group>
      </Modal>
    </>
  );
}

function NewLink({ url }: { url: string }) {
  return (
    <Alert color="green" title="This is the new link">
      <CodeBlock text={url} label="checkout link" />
    </Alert>
  );
}
