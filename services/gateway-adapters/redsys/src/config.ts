import { defineConfig, integer, optional, url, type ConfigOf } from '@gp/config';
import { adapterConfig } from '@gp/gateway';

const web = ['http:', 'https:'] as const;

const shape = {
  ...adapterConfig,
  settleWindowMs: integer({
    describe:
      "How long a payer can be on the bank's page: until then a payment the gateway does not show may still come, ms",
    default: 30 * 60_000,
    min: 0,
    max: 24 * 60 * 60_000,
  }),
  gatewayTestUrl: url({
    describe: 'Address of the gateway for test mode, up to and including /sis: the sandbox, or the vendor',
    default: 'https://sis-t.redsys.es:25443/sis',
    protocols: web,
  }),
  gatewayLiveUrl: url({
    describe: 'Address of the gateway for live mode, up to and including /sis',
    default: 'https://sis.redsys.es/sis',
    protocols: web,
  }),
  publicUrl: optional(
    url({
      describe:
        "Where the gateway and payers' browsers reach this service, for notifications and returns; by default its own port",
      protocols: web,
    }),
  ),
};

export type Config = ConfigOf<typeof shape>;

export const config = defineConfig(shape, ({ gatewayLiveUrl }) =>
  gatewayLiveUrl.startsWith('https:') ? [] : ['GATEWAY_LIVE_URL must be https: live payments travel there'],
);
