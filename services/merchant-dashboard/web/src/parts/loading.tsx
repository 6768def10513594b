import { Center, Loader, VisuallyHidden } from '@mantine/core';

/** The whole page while nothing of it is known yet. */
export function Loading() {
  return (
    <Center h="100vh" role="status">
      <Loader size="sm" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}
