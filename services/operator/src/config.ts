import { defineConfig, optional } from '@gp/config';
import { identityConfig, natsUrl, operatorKeyConfig, runningStackConfig } from '@gp/service';

export const config = defineConfig({
  natsUrl: optional(
    natsUrl('NATS servers, separated by commas; without it those of the running stack, with its identity'),
  ),
  ...identityConfig,
  ...operatorKeyConfig,
  ...runningStackConfig,
});
