import { defineConfig, integer } from '@gp/config';
import { baseConfig } from '@gp/service';

export const config = defineConfig({
  ...baseConfig,
  answerWithinMs: integer({
    describe: 'How long a refund waits for its gateways before it answers without them, ms (E5)',
    default: 20_000,
    min: 100,
    max: 20_000,
  }),
});
