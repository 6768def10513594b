import { integer, optional, text, type ConfigOf } from '@gp/config';
import type { GuardRules } from './app/limits/decline-guard.ts';
import type { Rates } from './app/limits/rate-limits.ts';

const count = (describe: string, value: number) =>
  integer({ describe, default: value, min: 1, max: 1_000_000 });
const seconds = (describe: string, value: number) =>
  integer({ describe, default: value, min: 1, max: 86_400 });

/** Every limit on callers is a setting. */
export const limitSettings = {
  rateLimitLivePerSecond: count('Requests a second of one merchant in live mode', 100),
  rateLimitLiveBurst: count('How many of them may come at once', 200),
  rateLimitTestPerSecond: count('Requests a second of one merchant in test mode', 25),
  rateLimitTestBurst: count('How many of them may come at once', 50),
  rateLimitCreatePerSecond: count('Group payments one merchant may create a second, in each mode', 25),
  rateLimitCreateBurst: count('How many of them may come at once', 50),
  rateLimitSessionPerSecond: count('Requests a second of one session token', 5),
  // When a page opens, it reads the group, starts a payment and confirms it.
  rateLimitSessionBurst: count('How many of them may come at once', 10),
  rateLimitGroupPerSecond: count('Requests a second of all session tokens of one group', 20),
  // Thirty payers who open their pages at the same moment.
  rateLimitGroupBurst: count('How many of them may come at once', 300),
  rateLimitPayersPerSecond: count(
    'Requests a second of all session tokens of one merchant, in each mode',
    200,
  ),
  rateLimitPayersBurst: count('How many of them may come at once', 1_000),
  // A whole restaurant, or a mobile network, may share one address.
  rateLimitAddressPerSecond: count('Requests a second with session tokens from one address', 30),
  rateLimitAddressBurst: count('How many of them may come at once', 600),
  paymentsPerSession: count('Payments one session token may start within ten minutes', 20),
  paymentsPerAddress: count('Payments browsers at one address may start within ten minutes', 300),
  cardTestingDeclinesPerPayer: count(
    'Declines of one payer of a group, within the window, that block the payer',
    5,
  ),
  cardTestingDeclinesPerClient: count('Declines of one address, within the window, that block it', 20),
  // Many times the number that blocks an address, so that one visitor cannot block the group.
  cardTestingDeclinesPerGroup: count('Declines of one group, within the window, that block its payments', 60),
  cardTestingWindowSeconds: seconds('How long a decline counts, s', 600),
  cardTestingBlockSeconds: seconds('How long pay and confirm then stay blocked, s', 900),
  // As many as an hour has on a gateway where a reservation lasts a quarter of one.
  abandonedReservationsPerAddress: count(
    'Reservations of one group that one address lets end, within the window, until it may start no payment there',
    4,
  ),
  abandonedReservationsWindowSeconds: seconds('How long an abandoned reservation counts, s', 7_200),
  abandonedReservationsBlockSeconds: seconds(
    'How long the address then starts no payment of the group, s',
    3_600,
  ),
  // Each asks the dispatcher once a second.
  eventStreams: count('Streams of events that this process has open at most', 200),
  // A server, its standby and the command lines of some developers.
  eventStreamsPerMerchant: count(
    'Streams of events that one merchant may have open at this process, in each mode',
    5,
  ),
  trustedProxies: optional(
    text({
      describe:
        'Proxies in front of the API whose X-Forwarded-For names the client: addresses or networks, separated by commas',
      pattern:
        /(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)(?:, *(?:[0-9a-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal))*/i,
    }),
  ),
};

export type LimitSettings = ConfigOf<typeof limitSettings>;

/** Returns the buckets of Q11. */
export function toRates(s: LimitSettings): Rates {
  return {
    live: { perSecond: s.rateLimitLivePerSecond, burst: s.rateLimitLiveBurst },
    test: { perSecond: s.rateLimitTestPerSecond, burst: s.rateLimitTestBurst },
    create: { perSecond: s.rateLimitCreatePerSecond, burst: s.rateLimitCreateBurst },
    session: { perSecond: s.rateLimitSessionPerSecond, burst: s.rateLimitSessionBurst },
    group: { perSecond: s.rateLimitGroupPerSecond, burst: s.rateLimitGroupBurst },
    payers: { perSecond: s.rateLimitPayersPerSecond, burst: s.rateLimitPayersBurst },
    address: { perSecond: s.rateLimitAddressPerSecond, burst: s.rateLimitAddressBurst },
    session_payment: withinTenMinutes(s.paymentsPerSession),
    address_payment: withinTenMinutes(s.paymentsPerAddress),
  };
}

const withinTenMinutes = (count: number): Rates['session'] => ({ perSecond: count / 600, burst: count });

/** Returns the rules of the card-testing guard (Q11) and of abandoned reservations (X14). */
export function toGuardRules(s: LimitSettings): GuardRules {
  const times = { windowMs: s.cardTestingWindowSeconds * 1_000, blockMs: s.cardTestingBlockSeconds * 1_000 };
  return {
    group: { most: s.cardTestingDeclinesPerGroup, ...times },
    client: { most: s.cardTestingDeclinesPerClient, ...times },
    payer: { most: s.cardTestingDeclinesPerPayer, ...times },
    visitor: {
      most: s.abandonedReservationsPerAddress,
      windowMs: s.abandonedReservationsWindowSeconds * 1_000,
      blockMs: s.abandonedReservationsBlockSeconds * 1_000,
    },
  };
}
