import { integer, optional, pairs, text, type ConfigOf } from '@gp/config';
import { baseConfig, sealConfig } from '@gp/service';
import { OWN_LIMITS } from './fairness/merchant-limits.ts';

/** The settings of every adapter; an adapter spreads them into its own shape. */
export const adapterConfig = {
  ...baseConfig,
  port: integer({
    describe: 'Port that takes the callbacks of the gateway',
    default: 0,
    min: 0,
    max: 65_535,
  }),
  host: text({
    describe: 'Address the callback port is bound to; 0.0.0.0 in a container',
    default: '127.0.0.1',
  }),
  ...sealConfig("merchants' credentials"),
  callTimeoutMs: integer({
    describe: 'How long one call to the gateway may take before its outcome counts as unknown, ms',
    default: 10_000,
    min: 50,
    max: 20_000,
  }),
  leaseMs: integer({
    describe: 'How long the work of a process that died stays untouched before another takes it over, ms',
    default: 6_000,
    min: 100,
    max: 60_000,
  }),
  settleWindowMs: integer({
    describe: 'How long a payment may be invisible at the gateway before it counts as absent, ms',
    default: 60_000,
    min: 0,
    max: 600_000,
  }),
  acceptedWaitMs: integer({
    describe: 'How long an operation the gateway accepted is watched for its result, ms',
    default: 2_000,
    min: 0,
    max: 10_000,
  }),
  breakerResetMs: integer({
    describe: 'Pause of an open circuit breaker before it lets one call try, ms',
    default: 5_000,
    min: 50,
    max: 120_000,
  }),
  breakerVolume: integer({
    describe: 'Calls within ten seconds before a circuit breaker may open',
    default: 10,
    min: 1,
    max: 10_000,
  }),
  breakerMerchants: integer({
    describe: 'Merchants whose calls must fail within ten seconds before the circuit breaker opens for all',
    default: 3,
    min: 2,
    max: 1_000,
  }),
  gatewayConcurrency: integer({
    describe: 'Orders of one operation, or looks for callbacks, in hand at once in one mode',
    default: 64,
    min: 1,
    max: 1_000,
  }),
  merchantConcurrency: integer({
    describe: 'Part of these that one merchant may have in hand at once',
    default: 12,
    min: 1,
    max: 1_000,
  }),
  accountCallsPerSecond: integer({
    describe: 'Captures, voids, refunds and questions sent per account and second',
    default: 20,
    min: 1,
    max: 1_000,
  }),
  merchantLimits: optional(
    pairs({
      describe:
        'Own limits of merchants: their id, calls a second and orders in hand at once, `merchant-id=100:64`',
      values: OWN_LIMITS,
    }),
  ),
};

export type AdapterConfig = ConfigOf<typeof adapterConfig>;
