import { defineConfig, optional, text, url, type ConfigOf } from '@gp/config';
import { adapterConfig } from '@gp/gateway';

const web = ['http:', 'https:'] as const;

const shape = {
  ...adapterConfig,
  gatewayTestUrl: url({
    describe: 'Address of the card processor for test mode: the sandbox, or the vendor',
    default: 'https://api.sandbox.checkout.com',
    protocols: web,
  }),
  gatewayLiveUrl: url({
    describe: 'Address of the card processor for live mode',
    default: 'https://api.checkout.com',
    protocols: web,
  }),
  publicUrl: optional(
    url({
      describe:
        "Where payers' browsers reach this service when they come back from the bank; by default its own port",
      protocols: web,
    }),
  ),
  relayTestUrl: url({
    describe: 'Relay that decrypts cards on their way to the processor, for test mode',
    default: 'https://relay.evervault.com:443',
    protocols: web,
  }),
  relayLiveUrl: url({
    describe: 'Relay that decrypts cards on their way to the processor, for live mode',
    default: 'https://relay.evervault.com:443',
    protocols: web,
  }),
  relayCa: optional(
    text({
      describe:
        'Certificate authority of the relay, PEM: it reads what it decrypts, so it ends the encryption',
    }),
  ),
};

export type Config = ConfigOf<typeof shape>;

export const config = defineConfig(shape, ({ gatewayLiveUrl, relayLiveUrl }) =>
  [
    ['GATEWAY_LIVE_URL', gatewayLiveUrl],
    ['RELAY_LIVE_URL', relayLiveUrl],
  ].flatMap(([name, address]) =>
    address?.startsWith('https:') ? [] : [`${name} must be https: live cards travel there`],
  ),
);
