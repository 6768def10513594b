import { defineConfig, integer, optional, text, url, type ConfigOf } from '@gp/config';
import { runtimeConfig, sealConfig } from '@gp/service';

const port = (describe: string, fallback: number) =>
  integer({ describe, default: fallback, min: 0, max: 65_535 });

const shape = {
  ...runtimeConfig,
  databaseUrl: url({
    describe: "Postgres, with the role of this service's schema",
    protocols: ['postgres:', 'postgresql:'],
  }),
  natsUrl: optional(
    text({
      describe: 'NATS servers, separated by commas; without any the sandbox knows no test clock',
      pattern: /(?:nats|tls):\/\/\S+/,
    }),
  ),
  ...sealConfig('the secrets of sandbox accounts'),
  host: text({ describe: 'Address the three ports are bound to', default: '127.0.0.1' }),
  port: port('Main port: pages, gateway_b, gateway_c, control', 8090),
  gatewayAPort: port("gateway_a's API without a prefix, for its SDK", 8091),
  relayPort: port("gateway_b's CONNECT relay", 8092),
  publicUrl: optional(
    url({
      describe: "Where payers' browsers reach the main port; by default its own address",
      protocols: ['http:', 'https:'],
    }),
  ),
  relayDestinations: optional(
    text({
      describe:
        'Processors the relay may speak to, `host:port` separated by commas; by default the main port',
      pattern: /[^\s,:]+:\d+(,[^\s,:]+:\d+)*/,
    }),
  ),
  confirmationDelayMs: integer({
    describe: "How long gateway_b's processor takes to finish what it has accepted, ms",
    default: 20,
    min: 0,
    max: 60_000,
  }),
};

export const config = defineConfig(shape);
export type Config = ConfigOf<typeof shape>;
