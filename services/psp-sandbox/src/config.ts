import {
  defineConfig,
  flag,
  integer,
  optional,
  secret,
  text,
  url,
  type ConfigOf,
  type Field,
} from '@gp/config';
import { listSandboxPorts, type SandboxPortSetting } from '@gp/gateway-registry';
import { databaseConfig, identityConfig, natsUrl, runtimeConfig, sealConfig } from '@gp/service';

const port = (describe: string, fallback: number) =>
  integer({ describe, default: fallback, min: 0, max: 65_535 });

/** The ports of single gateways, as their manifests declare them. */
const gatewayPorts = Object.fromEntries(
  listSandboxPorts().map(({ setting, about, number }) => [setting, port(about, number)]),
) as Record<SandboxPortSetting, Field<number>>;

const shape = {
  ...runtimeConfig,
  ...databaseConfig(8),
  natsUrl: optional(
    natsUrl(
      'NATS servers, separated by commas; without any the sandbox knows no test clock and plays no payers',
    ),
  ),
  ...identityConfig,
  ...sealConfig('the secrets of sandbox accounts'),
  host: text({ describe: 'Address that all ports are bound to', default: '127.0.0.1' }),
  port: port('Main port: pages, gateways, control', 8090),
  ...gatewayPorts,
  publicUrl: optional(
    url({
      describe: "Where payers' browsers reach the main port; by default its own address",
      protocols: ['http:', 'https:'],
    }),
  ),
  relayDestinations: optional(
    text({
      describe:
        'Servers that a relay of the sandbox may connect to, `host:port` separated by commas; by default the main port',
      pattern: /[^\s,:]+:\d+(,[^\s,:]+:\d+)*/,
    }),
  ),
  sandboxControlToken: optional(
    secret({ describe: 'Bearer token of control calls; without one nobody has it', pattern: /\S{32,}/ }),
  ),
  controlFromLoopback: flag({
    describe:
      'Whether control calls from this machine need no token: for a machine that only its tester uses',
    default: false,
  }),
  confirmationDelayMs: integer({
    describe: 'How long a gateway that accepts steps for later takes to finish them, ms',
    default: 20,
    min: 0,
    max: 60_000,
  }),
};

export const config = defineConfig(shape);
export type Config = ConfigOf<typeof shape>;
