import { Anchor, Box, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../parts/icon.tsx';

type Props = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** Links to other pages, each after a text. */
  readonly elsewhere?: readonly { readonly text: string; readonly to: string; readonly label: string }[];
};

/** A page for users who are not logged in: one card with one task. */
export function PublicPage({ title, lead, children, elsewhere = [] }: Props) {
  useEffect(() => {
    document.title = `${title} · Group Payments`;
  }, [title]);
  return (
    <Box component="main" maw={440} mx="auto" px="md" py={48}>
      <Stack gap="lg">
        <Box c="var(--mantine-primary-color-filled)">
          <Icon name="mark" size={36} />
        </Box>
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        <Paper withBorder p="lg">
          {children}
        </Paper>
        {elsewhere.map(({ text, to, label }) => (
          <Text key={to} size="sm">
            {text}{' '}
            <Anchor component={Link} to={to} underline="always" size="sm">
              {label}
            </Anchor>
          </Text>
        ))}
      </Stack>
    </Box>
  );
}
