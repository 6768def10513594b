import { CloseButton, Group, Paper, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismiss, noticeStore, type Notice } from './notify.ts';

/** How long a notice stays that nobody points at or has the focus on, ms. */
const SHOWN_MS = 6_000;

/** The notices of `notify`, in a corner of the window; screen readers say each when it comes. */
export function Notices() {
  const notices = useSyncExternalStore(noticeStore.subscribe, noticeStore.read);
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <Shown key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Shown({ notice: { id, text } }: { notice: Notice }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Group wrap="nowrap" gap="sm">
        <Text size="sm">{text}</Text>
        <CloseButton ml="auto" aria-label="Dismiss" onClick={() => dismiss(id)} />
      </Group>
    </Paper>
  );
}
