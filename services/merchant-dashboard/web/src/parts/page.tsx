import { Box, Container, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  readonly title: ReactNode;
  /** One sentence on the purpose of the screen. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A screen: its heading, its actions, its content. */
export function Page({ title, lead, actions, children }: Props) {
  return (
    <Container size="lg" px={0}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
        <Box miw={0}>
          <Title order={1} size="h2" textWrap="balance">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4} maw={640}>
              {lead}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Container>
  );
}
