import { Alert, Button, Group, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';
import { Icon } from './icon.tsx';

/** A secret that was just made: here this once, and gone from the page with `onDone` or on leaving. */
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
