import { optional, text, url } from '@gp/config';

const web = ['http:', 'https:'] as const;
const origin = String.raw`https?:\/\/[\w.*-]+(?::\d+)?`;
const origins = new RegExp(`(?:${origin}(?:,${origin})*)?`);

const script = (gateway: string, mode: string, address: string) =>
  url({
    describe: `Browser script of ${gateway} in ${mode} mode`,
    default: address,
    protocols: web,
  });
const alsoOf = (gateway: string, mode: string, addresses: string) =>
  text({
    describe: `Origins that the browser script of ${gateway} talks to in ${mode} mode besides its own, separated by commas`,
    default: addresses,
    pattern: origins,
  });

const A_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const A_ALSO = 'https://api.stripe.com,https://hooks.stripe.com,https://*.js.stripe.com';
const B_SCRIPT = 'https://js.evervault.com/v2';
const B_ALSO = 'https://keys.evervault.com,https://api.evervault.com,https://ui-components.evervault.com';

/** What payers' browsers load of each gateway, and whom they may talk to while they do. */
export const gatewaysConfig = {
  gatewayATestScript: script('gateway_a', 'test', A_SCRIPT),
  gatewayATestOrigins: alsoOf('gateway_a', 'test', A_ALSO),
  gatewayALiveScript: script('gateway_a', 'live', A_SCRIPT),
  gatewayALiveOrigins: alsoOf('gateway_a', 'live', A_ALSO),
  gatewayBTestFrame: optional(
    url({
      describe: 'Card field of the sandbox for gateway_b in test mode, used in place of the script',
      protocols: web,
    }),
  ),
  gatewayBTestScript: script('gateway_b', 'test', B_SCRIPT),
  gatewayBTestOrigins: alsoOf('gateway_b', 'test', B_ALSO),
  gatewayBLiveScript: script('gateway_b', 'live', B_SCRIPT),
  gatewayBLiveOrigins: alsoOf('gateway_b', 'live', B_ALSO),
  gatewayCTestUrl: url({
    describe: "Where gateway_c's form goes in test mode: the sandbox, or the bank; only its origin counts",
    default: 'https://sis-t.redsys.es:25443',
    protocols: web,
  }),
  gatewayCLiveUrl: url({
    describe: "Where gateway_c's form goes in live mode; only its origin counts",
    default: 'https://sis.redsys.es',
    protocols: web,
  }),
};
