import { Alert, Button, Group, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';
import { Icon } from './icon.tsx';

/** Shows a secret that was just created, once: `onDone` or leaving the page removes it. */
export function SecretOnce({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  return (
    <Alert color="cyan" variant="light" icon={<Icon name="key" />} title={`${label}: copy it now`} mb="md">
      <Text size="sm" mb="xs">
        It is shown this once and cannot be read again. Keep it where your server keeps its secrets.
      </Text>
      <CodeBlock text={secret} label={label} />
      <Group mt="sm">
        <Button size="xs" onClick={onDone}>
          I have stored it
        </Button>
      </Group>
    </Alert>
  );
}
