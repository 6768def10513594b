import { Alert } from '@mantine/core';

/** States on every screen of test mode that nothing here is real. */
export function ModeBanner() {
  return (
    <Alert color="yellow" variant="light" p="xs" mb="lg" className="mode-banner" role="note">
      <strong>Test mode.</strong> No real money moves here. Keys, gateways, payments and webhooks are separate
      from live mode.
    </Alert>
  );
}
