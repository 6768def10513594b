import { isOperatorKey } from '@gp/bus';
import { defineConfig, integer, optional, text, type ConfigSchema } from '@gp/config';
import { baseConfig } from '@gp/service';
import { parseFirstOperator } from './domain/index.ts';

const settings = {
  ...baseConfig,
  firstOperator: optional(
    text({
      describe:
        'Name and public key of the first administrator, as `keys new` of the operators’ command line prints them; registered while no administrator has a valid key',
      pattern: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}:O[A-Z2-7]{55}/,
    }),
  ),
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
};

export const config = defineConfig(settings, ({ firstOperator }) =>
  firstOperator === undefined || isOperatorKey(parseFirstOperator(firstOperator).key)
    ? []
    : ['FIRST_OPERATOR has a public key with a mistyped character'],
);

export type LedgerConfig = typeof config extends ConfigSchema<infer C> ? C : never;
