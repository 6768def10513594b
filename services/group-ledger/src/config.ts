import { defineConfig, integer } from '@gp/config';
import { baseConfig } from '@gp/service';

export const config = defineConfig({
  ...baseConfig,
  reconcileSettleMs: integer({
    describe:
      'Pause before a payment that differs from its gateway’s books is looked at again, three times, ms',
    default: 60_000,
    min: 100,
    max: 3_600_000,
  }),
});
