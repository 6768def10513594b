import { Alert, Button, Code, Text } from '@mantine/core';
import { explain } from '../api/explain.ts';
import { Icon } from './icon.tsx';

/** An error with its next step; `onRetry` offers to try again. */
export function FailureNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, nextStep, requestId } = explain(error);
  return (
    <Alert
      color="red"
      variant="light"
      className="failure-note"
      title={title}
      icon={<Icon name="warning" />}
      role="alert"
    >
      <Text size="sm">{nextStep}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          Request <Code>{requestId}</Code>
        </Text>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
