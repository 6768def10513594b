import { Center, Loader, VisuallyHidden } from '@mantine/core';

/** Fills the page while none of its content is loaded. */
export function Loading() {
  return (
    <Center h="100vh" role="status">
      <Loader size="sm" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}
