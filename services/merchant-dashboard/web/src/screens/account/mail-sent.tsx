import { Anchor, Button, Stack, Text } from '@mantine/core';
import { send } from '../../api/send.ts';
import { useLoaded } from './use-loaded.ts';

/** Explains what to do after a mail was requested. A trial stack shows its mail itself. */
export function MailSent({ to, onBack }: { readonly to: string; readonly onBack: () => void }) {
  const mailbox = useLoaded<object>((signal) => send('/api/mailbox?to=nobody', { signal }));
  return (
    <Stack role="status">
      <Text>
        We have sent a message to <strong className="long-word">{to}</strong>. Open it and follow its link to
        go on.
      </Text>
      {mailbox && (
        <Text>
          This stack is for trying out:{' '}
          <Anchor href="/mailbox" underline="always">
            read its mail here
          </Anchor>
          .
        </Text>
      )}
      <Text c="dimmed" size="sm">
        Nothing there after a few minutes? Look into the spam folder, or check the address.
      </Text>
      <Button variant="default" onClick={onBack}>
        Use another address
      </Button>
    </Stack>
  );
}
