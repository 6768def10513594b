import { defineConfig, optional, text } from '@gp/config';

export const config = defineConfig({
  natsUrl: optional(
    text({
      describe: 'NATS servers, separated by commas; without it those of the running stack',
      pattern: /(?:nats|tls):\/\/\S+/,
    }),
  ),
  gpDataDir: text({
    describe: 'Where a running stack keeps its stack.json, which names its NATS server',
    default: '.data',
  }),
});
