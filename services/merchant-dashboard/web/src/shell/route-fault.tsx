import { Anchor, Button, Container, Text, Title } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { FailureNote } from '../parts/failure-note.tsx';

/** Replaces a screen whose code could not be loaded, or failed. */
export function RouteFault() {
  const error = useRouteError();
  return (
    <Container size="sm" py="xl">
      <FailureNote error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}

export function NoSuchPage() {
  return (
    <Container size="sm" py="xl" ta="center">
      <Title order={1} size="h2" mb="sm">
        There is no such page
      </Title>
      <Text c="dimmed" mb="lg">
        The address may be mistyped, or from an older version of the dashboard.
      </Text>
      <Button component={Link} to="/">
        Go home
      </Button>
      <Text mt="md" size="sm">
        <Anchor component={Link} to="/login">
          Log in as somebody else
        </Anchor>
      </Text>
    </Container>
  );
}
