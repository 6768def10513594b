import { Group } from '@mantine/core';
import { Copy } from './copy.tsx';

/** An id that can be copied. */
export function Identifier({ id, what }: { id: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <code className="identifier" title={id}>
        {id}
      </code>
      <Copy text={id} what={what} />
    </Group>
  );
}
