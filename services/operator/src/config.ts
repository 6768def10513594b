import { defineConfig, optional, text } from '@gp/config';
import { identityConfig, natsUrl, operatorKeyConfig } from '@gp/service';

export const config = defineConfig({
  natsUrl: optional(
    natsUrl('NATS servers, separated by commas; without it those of the running stack, with its identity'),
  ),
  ...identityConfig,
  ...operatorKeyConfig,
  gpDataDir: text({
    describe:
      'Where a running stack keeps its stack.json, which names its NATS server and has its operator’s key',
    default: '.data',
  }),
});
