import { choice, integer, optional, secret, text, url, type ConfigOf } from '@gp/config';
import { identityConfig, natsUrl } from './bus-config.ts';
import { telemetryConfig } from './telemetry-config.ts';

/**
 * The default fits into Kubernetes' grace of 30 s, with time for a preStop sleep; the longest work in hand is a refund that
 * waits 20 s for its gateways.
 */
const SHUTDOWN_SECONDS = 25;

/** The settings that the frame around every service needs; services with their own settings spread it first. */
export const runtimeConfig = {
  shutdownSeconds: integer({
    describe: 'How long work in hand may go on after SIGTERM before the process exits without it, seconds',
    default: SHUTDOWN_SECONDS,
    min: 1,
    max: 3_600,
  }),
  metricsPort: integer({
    describe: 'Port of the management server (/livez /readyz /startupz /metrics); 0 takes any free one',
    default: 9464,
    min: 0,
    max: 65_535,
  }),
  metricsHost: text({
    describe: 'Address the management server listens on; 0.0.0.0 in a container',
    default: '127.0.0.1',
  }),
  logLevel: choice(['debug', 'info', 'warn', 'error', 'silent'], {
    describe: 'Least severe level that is logged; debug adds the stacks of errors',
    default: 'info',
  }),
  ...telemetryConfig,
};

/** The settings of a service's connections to Postgres; a service with another default spreads them after `baseConfig`. */
export const databaseConfig = (connections: number) => ({
  databaseUrl: url({
    describe: "Postgres, with the role of this service's schema",
    protocols: ['postgres:', 'postgresql:'],
  }),
  databaseDirectUrl: optional(
    url({
      describe:
        'Postgres itself, where DATABASE_URL is a pooler in transaction mode: relays hold locks of a session there',
      protocols: ['postgres:', 'postgresql:'],
    }),
  ),
  databaseNextPassword: optional(
    secret({
      describe: 'During a rotation: the password of the role when Postgres refuses the one in use',
    }),
  ),
  databaseConnections: integer({
    describe: 'Connections to Postgres at most; a service with an outbox has one more for its relay',
    default: connections,
    min: 2,
    max: 100,
  }),
});

/** Returns the options of a service's connections to Postgres. */
export const pgOptions = ({
  databaseUrl: url,
  databaseDirectUrl: directUrl,
  databaseNextPassword: nextPassword,
  databaseConnections: max,
}: DatabaseConfig) => ({ url, directUrl, nextPassword, max });

/** Four connections keep two cores busy; more only queue inside Postgres, where nothing can shed them. */
const CONNECTIONS = 4;

/** The settings of every service that owns a schema and uses the bus; spread into its own shape. */
export const baseConfig = {
  ...databaseConfig(CONNECTIONS),
  natsUrl: natsUrl(),
  ...identityConfig,
  outboxRepeatMs: integer({
    describe:
      'Pause until a message is published a second time, in case the bus lost it, ms; the bus drops repeats of the first two minutes',
    default: 600_000,
    min: 100,
    max: 86_400_000,
  }),
  ...runtimeConfig,
};

/** The setting of a service that strangers reach. */
export const securityConfig = {
  securityContact: optional(
    text({
      describe:
        'Where people report a vulnerability, as mailto: or https: address; served at /.well-known/security.txt',
      pattern: /(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)/,
    }),
  ),
};

export type DatabaseConfig = ConfigOf<ReturnType<typeof databaseConfig>>;
export type RuntimeConfig = ConfigOf<typeof runtimeConfig>;
export type BaseConfig = ConfigOf<typeof baseConfig>;
