import { defineConfig, optional, text } from '@gp/config';
import { identityConfig, natsUrl } from '@gp/service';

export const config = defineConfig({
  natsUrl: optional(
    natsUrl('NATS servers, separated by commas; without it those of the running stack, with its identity'),
  ),
  ...identityConfig,
  gpDataDir: text({
    describe: 'Where a running stack keeps its stack.json, which names its NATS server',
    default: '.data',
  }),
});
