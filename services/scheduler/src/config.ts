import { defineConfig, integer, text, type ConfigSchema } from '@gp/config';
import { pspCodes } from '@gp/gateway-registry';
import { baseConfig } from '@gp/service';

export const config = defineConfig({
  ...baseConfig,
  scanIntervalMs: integer({
    describe:
      'Longest pause between two looks for due timers, ms. A timer that another replica stored less than this before it is due may be so much late (L4 allows 5 s).',
    default: 1_000,
    min: 10,
    max: 5_000,
  }),
  testClockFollowers: text({
    describe:
      'Services that live by test clocks, by their words in subjects, separated by commas; gateways before the sandbox',
    default: [...pspCodes, 'psp_sandbox', 'webhooks', 'ledger'].join(','),
    pattern: /[a-z_]+(,[a-z_]+)*/,
  }),
});

export type SchedulerConfig = typeof config extends ConfigSchema<infer C> ? C : never;
