import { Anchor, Box, Group, MantineThemeProvider, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../parts/icon.tsx';
import { largeControls } from '../../theme.ts';

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
        <Group gap="xs">
          <Box c="var(--mantine-color-anchor)" lh={0}>
            <Icon name="mark" size={36} />
          </Box>
          <Text fw={650} size="lg">
            Group Payments
          </Text>
        </Group>
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
        <MantineThemeProvider theme={largeControls}>
          <Paper withBorder p="lg">
            {children}
          </Paper>
        </MantineThemeProvider>
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
