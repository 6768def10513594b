import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** What will be here, and how it comes to be. */
  readonly children: ReactNode;
  /** The way there: a button or a link. */
  readonly action?: ReactNode;
};

/** A screen that has nothing to show yet teaches what it is for. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center" maw={520} mx="auto">
      <Icon name={icon} size={36} />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm">
        {children}
      </Text>
      {action}
    </Stack>
  );
}
