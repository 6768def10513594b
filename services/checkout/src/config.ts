import { LONGEST_SESSION_SECONDS } from '@gp/contracts';
import { defineConfig, integer, optional, text, url, type ConfigOf } from '@gp/config';
import { listMailFaults, mailConfig } from '@gp/mail';
import { baseConfig, sealConfig, securityConfig } from '@gp/service';
import type { RotationPolicy } from './domain/key-rotation.ts';
import { gatewaysConfig, listInsecureAddresses } from './gateways.config.ts';

const limit = (describe: string, value: number) =>
  integer({ describe, default: value, min: 1, max: 1_000_000 });

const shape = {
  ...baseConfig,
  port: integer({
    describe:
      "Port of what is public of checkout: payers' pages, live slots, the widget, keys of session tokens",
    default: 8081,
    min: 0,
    max: 65_535,
  }),
  host: text({ describe: 'Address that port is on; 0.0.0.0 in a container', default: '127.0.0.1' }),
  checkoutUrl: url({
    describe: 'Where payers reach this service; the same as the API gateway has',
    default: 'http://127.0.0.1:8081',
    protocols: ['http:', 'https:'],
  }),
  apiUrl: url({
    describe: 'Where payers reach the API gateway',
    default: 'http://127.0.0.1:8080',
    protocols: ['http:', 'https:'],
  }),
  maxStreams: integer({
    describe: 'Live streams that this process has open at most; further pages poll',
    default: 5_000,
    min: 1,
    max: 100_000,
  }),
  streamsPerAddress: limit(
    'Live streams one address may have open at this process; its next page polls',
    100,
  ),
  mintsPerAddressPerSecond: limit('Session tokens one address gets from checkout links a second', 5),
  // Guests of a restaurant, or customers of a mobile network, share one address.
  mintsPerAddressBurst: limit('How many of them may come at once', 300),
  // More than one address gets, so that no visitor uses up the limit of a link.
  mintsPerLinkPerSecond: limit('Session tokens one checkout link gives a second', 20),
  mintsPerLinkBurst: limit('How many of them may come at once', 600),
  // Somebody who presses a button now and then; the burst is for one who tries them all.
  organiserActsPerMinute: limit('Actions that one organiser’s link may take a minute', 6),
  organiserActsBurst: limit('How many of them may come at once', 10),
  trustedProxies: optional(
    text({
      describe:
        'Proxies in front of checkout whose X-Forwarded-For names the client: addresses or networks, separated by commas',
      pattern:
        /(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)(?:, *(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal))*/i,
    }),
  ),
  ...gatewaysConfig,
  ...mailConfig({
    describe:
      'The mail server of mails to payers, port 587 (smtp:) or 465 (smtps:) by default, or for trying out the folder of the dashboard’s mails, into which those of test mode are written; without one payers get no mail',
  }),
  mailsPerAddressAndHour: limit('Mails to payers that one address gets in an hour', 20),
  mailsPerAddressGroupAndDay: limit('How many of them about one group in a day', 12),
  mailsPerTestMerchantAndDay: limit('Mails that the payers of one merchant get in test mode in a day', 100),
  ...securityConfig,
  ...sealConfig('the private halves of signing keys'),
  confirmWaitMs: integer({
    describe: 'How long a confirm waits for another try of the same payment that is in flight, ms (Q13)',
    default: 25_000,
    min: 100,
    max: 25_000,
  }),
  signingKeyDays: integer({
    describe: 'How long a key signs session tokens before the next one does, days',
    default: 30,
    min: 1,
    max: 365,
  }),
};

export type CheckoutConfig = ConfigOf<typeof shape>;

export const config = defineConfig(shape, ({ checkoutUrl, ...rest }) => [
  ...(new URL(checkoutUrl).pathname === '/' ? [] : ['CHECKOUT_URL must be an origin, without a path']),
  ...listInsecureAddresses(rest),
  ...listMailFaults(rest),
]);

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The longest time a client may cache a published key set. */
const LEAD_MS = 5 * 60 * 1_000;

/** Returns how long signing keys are used: each stays published while its last token lives, and a bit longer. */
export function toRotationPolicy({ signingKeyDays }: CheckoutConfig): RotationPolicy {
  return {
    rotateAfterMs: signingKeyDays * DAY_MS,
    leadMs: LEAD_MS,
    lingerMs: LONGEST_SESSION_SECONDS * 1_000 + LEAD_MS,
  };
}
