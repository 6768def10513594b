import { defineConfig, integer, text } from '@gp/config';
import { runtimeConfig } from '@gp/service';

export const config = defineConfig({
  natsUrl: text({ describe: 'NATS servers, separated by commas', pattern: /(?:nats|tls):\/\/\S+/ }),
  ...runtimeConfig,
  confirmWaitMs: integer({
    describe: 'How long a confirm waits for another try of the same payment that is in flight, ms (Q13)',
    default: 25_000,
    min: 100,
    max: 25_000,
  }),
});
