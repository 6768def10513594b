import { Box } from '@mantine/core';

/** States on every screen of test mode that nothing here is real. */
export function ModeBanner() {
  return (
    <Box data-tone="warn" fz="sm" px="sm" py="xs" mb="lg" bdrs="md" role="note">
      <strong>Test mode.</strong> No real money moves here. Keys, gateways, payments and webhooks are separate
      from live mode.
    </Box>
  );
}
