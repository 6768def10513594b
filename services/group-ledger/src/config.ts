import { defineConfig, integer, type ConfigSchema } from '@gp/config';
import { baseConfig } from '@gp/service';

export const config = defineConfig({
  ...baseConfig,
  orderSilenceMs: integer({
    describe:
      'Pause until an order that an adapter did not answer is sent again, ms; it grows with each repeat',
    default: 600_000,
    min: 1_000,
    max: 3_600_000,
  }),
  reconcileSettleMs: integer({
    describe:
      'Pause before a payment that differs from its gateway’s books is looked at again, three times, ms',
    default: 60_000,
    min: 100,
    max: 3_600_000,
  }),
  reconcileLeaseMs: integer({
    describe: 'How long a comparison whose process died waits for another one, ms',
    // Longer than the gateways need for the payments of a page.
    default: 120_000,
    min: 1_000,
    max: 600_000,
  }),
});

export type LedgerConfig = typeof config extends ConfigSchema<infer C> ? C : never;
