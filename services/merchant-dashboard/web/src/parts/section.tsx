import { Group, Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a screen with its own heading. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} mb="lg" aria-labelledby={id}>
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  );
}
