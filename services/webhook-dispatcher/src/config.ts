import { defineConfig, flag, integer, text } from '@gp/config';
import { baseConfig, databaseConfig, sealConfig } from '@gp/service';
import { publishedSchedule } from './domain/retry-schedule.ts';

/** Time between the end of an attempt and the end of its lease: enough to record the attempt in a slow database. */
const LEASE_MARGIN_MS = 5_000;
/** Endpoints that must hang at once, each with its lane full, before others wait for them. */
const LEAST_LANES = 4;

export const config = defineConfig(
  {
    ...baseConfig,
    ...databaseConfig(5),
    ...sealConfig('endpoint secrets'),
    allowLoopbackWebhooks: flag({
      describe: 'Deliver to endpoints on this machine; for development and tests, never in production',
      default: false,
    }),
    maxInFlight: integer({
      describe: 'Most requests under way in this process; three times as many may wait for slow answers',
      default: 200,
      min: 1,
      max: 2_000,
    }),
    laneCap: integer({
      describe: 'Most requests under way to one endpoint, over all replicas',
      default: 10,
      min: 1,
      max: 100,
    }),
    deadlineMs: integer({
      describe: 'How long an attempt may take with everything, the answer’s body included, ms',
      default: 15_000,
      min: 100,
      max: 60_000,
    }),
    connectTimeoutMs: integer({
      describe: 'How long making a connection may take, ms',
      default: 5_000,
      min: 50,
      max: 30_000,
    }),
    leaseMs: integer({
      describe: 'How long a claim stays untouched when its process dies, ms',
      default: 21_000,
      min: 1_000,
      max: 300_000,
    }),
    pollIntervalMs: integer({
      describe:
        'Pause between two looks while a delivery waits, be it due later, and nothing wakes the dispatcher, ms; it rests longer while none waits',
      default: 1_000,
      min: 10,
      max: 5_000,
    }),
    retryLadderMs: text({
      describe: 'Waits between attempts, ms; the default is what merchants are promised, tests shorten it',
      default: publishedSchedule.join(','),
      pattern: /\d{1,9}(,\d{1,9}){0,20}/,
    }),
  },
  (c) => [
    ...(c.leaseMs < c.deadlineMs + LEASE_MARGIN_MS
      ? [
          `LEASE_MS must exceed DEADLINE_MS by at least ${LEASE_MARGIN_MS}: a live worker must not lose its claim`,
        ]
      : []),
    ...(c.connectTimeoutMs > c.deadlineMs ? ['CONNECT_TIMEOUT_MS must not exceed DEADLINE_MS'] : []),
    ...(c.laneCap * LEAST_LANES > c.maxInFlight
      ? [`LANE_CAP must be at most MAX_IN_FLIGHT / ${LEAST_LANES}: one endpoint must not fill the pool`]
      : []),
  ],
);
