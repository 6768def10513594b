import { defineConfig, integer } from '@gp/config';
import { baseConfig } from '@gp/service';

export const config = defineConfig({
  ...baseConfig,
  scanIntervalMs: integer({
    describe:
      'Pause between two scans for due timers, ms. An expiry may be seen this much late (L4 allows 5 s).',
    default: 100,
    min: 10,
    max: 5_000,
  }),
});
