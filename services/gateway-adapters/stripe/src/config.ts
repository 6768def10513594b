import { defineConfig, url, type ConfigOf } from '@gp/config';
import { adapterConfig } from '@gp/gateway';

const shape = {
  ...adapterConfig,
  gatewayTestUrl: url({
    describe: 'Address of the gateway for test mode: the sandbox’s own port, or the vendor',
    default: 'https://api.stripe.com',
    protocols: ['http:', 'https:'],
  }),
  gatewayLiveUrl: url({
    describe: 'Address of the gateway for live mode',
    default: 'https://api.stripe.com',
    protocols: ['http:', 'https:'],
  }),
};

export type Config = ConfigOf<typeof shape>;

export const config = defineConfig(shape, ({ gatewayLiveUrl }) =>
  gatewayLiveUrl.startsWith('https:') ? [] : ['GATEWAY_LIVE_URL must be https: live keys travel there'],
);
