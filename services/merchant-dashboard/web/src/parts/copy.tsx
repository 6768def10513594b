import { ActionIcon, CopyButton } from '@mantine/core';
import { Icon } from './icon.tsx';

/** Copies a text; `what` names it to screen readers. */
export function Copy({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={copy}
          aria-label={copied ? `${what} copied` : `Copy ${what}`}
          title={copied ? 'Copied' : 'Copy'}
        >
          <Icon name={copied ? 'check' : 'copy'} size={16} />
        </ActionIcon>
      )}
    </CopyButton>
  );
}
