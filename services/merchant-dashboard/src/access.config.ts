import { integer, optional, text, type ConfigOf } from '@gp/config';
import type { Limits } from './app/account/tries.ts';
import type { StreamLimits } from './app/live/change-streams.ts';

const count = (describe: string, value: number) =>
  integer({ describe, default: value, min: 1, max: 1_000_000 });

const QUARTER_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;

/** Limits on guessing and on live streams, and how the client's address is found behind proxies. */
export const accessConfig = {
  loginTriesPerAccount: count('Passwords that may be tried on one account in 15 minutes', 10),
  loginTriesPerAddress: count('Log-ins, sign-ups and resets that one address may ask for in 15 minutes', 100),
  codeTriesPerAccount: count('Codes of a second factor that may be tried on one account in 15 minutes', 5),
  mailsPerAddress: count('Mails that may be asked for to one mailbox in an hour', 5),
  maxStreams: count(
    'Live streams that this process has open at most; further pages show what they loaded',
    2_000,
  ),
  trustedProxies: optional(
    text({
      describe:
        'Proxies in front of the dashboard whose X-Forwarded-For names the client: addresses or networks, separated by commas',
      pattern:
        /(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)(?:, *(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal))*/i,
    }),
  ),
};

/** A page has a stream while it is visible, so that a person has few. */
const STREAMS = { perSession: 8, perUser: 20, perMerchant: 200 };

/** Returns the limits of live streams in the form that the use case takes. */
export function toStreamLimits({ maxStreams }: ConfigOf<typeof accessConfig>): StreamLimits {
  return { most: maxStreams, ...STREAMS };
}

/** Returns the limits in the form that the use cases take. */
export function toLimits(c: ConfigOf<typeof accessConfig>): Limits {
  return {
    perAccount: { most: c.loginTriesPerAccount, seconds: QUARTER_SECONDS },
    perAddress: { most: c.loginTriesPerAddress, seconds: QUARTER_SECONDS },
    perCode: { most: c.codeTriesPerAccount, seconds: QUARTER_SECONDS },
    perMailbox: { most: c.mailsPerAddress, seconds: HOUR_SECONDS },
  };
}
