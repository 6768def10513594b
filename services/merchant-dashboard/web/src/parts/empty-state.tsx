import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** Says what the screen will show, and how to get it. */
  readonly children: ReactNode;
  /** A button or a link to the next step. */
  readonly action?: ReactNode;
};

/** A screen without content, which explains its purpose. */
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
