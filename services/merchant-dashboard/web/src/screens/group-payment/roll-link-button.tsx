import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RolledCheckoutLink, RolledOrganiserLink } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { useOnce } from '../../api/once.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';

type Rolled = RolledCheckoutLink | RolledOrganiserLink;

const LINKS = {
  checkout: {
    path: 'roll-checkout-link',
    title: 'Replace the checkout link?',
    explanation:
      'For a link that reached the wrong people. The old link stops working at once, and every page that is open with it ends. ' +
      'Payments that were started stay as they are. You have to send the new link to your payers.',
    label: 'checkout link',
  },
  organiser: {
    path: 'roll-organiser-link',
    title: 'Replace the organiser’s link?',
    explanation:
      'For a link that reached the wrong person. The old link stops working at once, and every page that is open with it ends. ' +
      'What was done with it stays done, and the rights stay as they are. You have to send the new link to the organiser.',
    label: 'organiser’s link',
  },
} as const;

type Props = {
  readonly link: keyof typeof LINKS;
  readonly groupId: string;
  /** The link as it is now: a replacement of another one is another action. Absent where the member's role does not show it. */
  readonly url: string | undefined;
};

/** Replaces a link that reached the wrong people, after explaining what ends with it. */
export function RollLinkButton({ link, groupId, url }: Props) {
  const { path, title, explanation, label } = LINKS[link];
  const [isOpen, setOpen] = useState(false);
  const api = useModeApi();
  const once = useOnce();
  const roll = useMutation({
    mutationFn: () =>
      once({ roll: url ?? path }, (idempotencyKey) =>
        api.send<Rolled>(`/group-payments/${groupId}/${path}`, { method: 'POST', body: {}, idempotencyKey }),
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
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title}>
        {roll.data ? (
          <Replaced url={readUrl(roll.data)} label={label} />
        ) : (
          <Text size="sm" mb="md">
            {explanation}
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

const readUrl = (rolled: Rolled): string | undefined =>
  'checkout_url' in rolled ? rolled.checkout_url : rolled.organiser_url;

function Replaced({ url, label }: { url: string | undefined; label: string }) {
  if (url === undefined)
    return (
      <Alert color="green" title="The link was replaced">
        Your role does not show the new one: ask somebody who may cancel payments to send it.
      </Alert>
    );
  return (
    <Alert color="green" title="This is the new link">
      <CodeBlock text={url} label={label} />
    </Alert>
  );
}
