import type { Mode } from '@gp/contracts';
import {
  drawn,
  fullBucket,
  refilled,
  secondsUntil,
  type Bucket,
  type Rate,
} from '../../domain/token-bucket.ts';
import type { Caller } from '../callers/caller.ts';
import { Recent } from './recent.ts';

/**
 * The kinds of bucket: a merchant's requests in a mode, its creates among them; of payers' browsers the requests of a
 * session token, of all tokens of a group, of a merchant's tokens in a mode and of a client's network, and the payments
 * that a token and a network start.
 */
export type LimitKind =
  Mode | 'create' | 'session' | 'group' | 'payers' | 'address' | 'session_payment' | 'address_payment';
export type Rates = Readonly<Record<LimitKind, Rate>>;

/** The tokens taken from each bucket, as replicas exchange them. */
export type Spending = readonly (readonly [bucket: string, count: number])[];

/** The bucket that decides about a request: the one with the fewest tokens left. */
export type Allowance = {
  readonly isAllowed: boolean;
  readonly kind: LimitKind;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until this request would be admitted; 0 when it is. */
  readonly retrySeconds: number;
};

/** The properties, beside the caller, that select the buckets of a request. */
export type LimitedRequest = {
  readonly starts?: 'group_payment' | 'payment';
  /** The name of a browser's network; undefined for a merchant's server. */
  readonly client?: string | undefined;
};

export type RateLimits = {
  /** Takes one token from each bucket the request draws from, or none when one of them is empty. */
  take(caller: Caller, request: LimitedRequest): Allowance;
  /** Returns the tokens taken here since the last call. */
  collect(): Spending;
  /** Calls `act` when a first token is taken after `collect`; the last one given counts. */
  whenSpent(act: () => void): void;
  /** Subtracts the tokens that another replica took. */
  subtract(spent: Spending): void;
};

/**
 * The most buckets kept, 200 bytes each. A bucket untouched for longer than it takes to fill equals a new one, so
 * the ones touched longest ago are dropped: a hostile caller that uses many keys displaces nothing of value.
 */
const MOST_BUCKETS = 20_000;

/**
 * Token buckets in memory. Replicas exchange what they admitted and subtract it from their own buckets, below zero
 * if need be: an excess admitted before the exchange is subtracted afterwards, so that the rate holds in the long
 * run. At one moment R replicas may admit R bursts at most. `now` is a monotonic clock, ms.
 */
export function rateLimits(rates: Rates, now: () => number): RateLimits {
  const buckets = new Recent<Bucket>(MOST_BUCKETS);
  const spent = new Map<string, number>();
  let actOnFirst = (): void => undefined;
  const current = (key: string, rate: Rate, nowMs: number): Bucket =>
    refilled(buckets.get(key) ?? fullBucket(rate, nowMs), rate, nowMs);

  return {
    take(caller, request) {
      const nowMs = now();
      const drawnFrom = listBucketKeys(caller, request).map((key) => {
        const rate = rates[parseLimitKind(key)];
        return { key, rate, bucket: current(key, rate, nowMs) };
      });
      const isAllowed = drawnFrom.every(({ bucket }) => bucket.tokens >= 1);
      if (isAllowed && spent.size === 0) actOnFirst();
      const after = drawnFrom.map((from) => ({ ...from, bucket: drawn(from.bucket, isAllowed ? 1 : 0) }));
      for (const { key, bucket } of after) {
        buckets.set(key, bucket);
        if (isAllowed) spent.set(key, (spent.get(key) ?? 0) + 1);
      }
      return computeAllowance(after, isAllowed);
    },
    collect() {
      const taken = [...spent];
      spent.clear();
      return taken;
    },
    whenSpent: (act) => void (actOnFirst = act),
    subtract(spending) {
      const nowMs = now();
      for (const [key, count] of spending) {
        const kind = parseLimitKind(key);
        if (!Object.hasOwn(rates, kind)) continue;
        buckets.set(key, drawn(current(key, rates[kind], nowMs), count));
      }
    },
  };
}

function listBucketKeys(caller: Caller, { starts, client }: LimitedRequest): string[] {
  const { mode, merchantId } = caller;
  const own = `${mode} ${merchantId}`;
  if (caller.kind === 'secret_key') return starts === 'group_payment' ? [own, `create ${own}`] : [own];
  // A link gives any number of tokens, so a limit for each token is not enough. The bucket of the merchant's own
  // requests is left alone, so that payers cannot slow down the merchant's server.
  const token = `${own} ${caller.tokenId}`;
  const network = client === undefined ? [] : [client];
  return [
    `session ${token}`,
    `group ${own} ${caller.groupId}`,
    `payers ${own}`,
    ...network.map((name) => `address ${name}`),
    ...(starts === 'payment'
      ? [`session_payment ${token}`, ...network.map((n) => `address_payment ${n}`)]
      : []),
  ];
}

const parseLimitKind = (key: string): LimitKind => key.slice(0, key.indexOf(' ')) as LimitKind;

type Drawn = { readonly key: string; readonly rate: Rate; readonly bucket: Bucket };

function computeAllowance(from: readonly Drawn[], isAllowed: boolean): Allowance {
  const nearest = from.reduce((a, b) => (b.bucket.tokens < a.bucket.tokens ? b : a));
  const { key, rate, bucket } = nearest;
  return {
    isAllowed,
    kind: parseLimitKind(key),
    limit: rate.burst,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    resetSeconds: Math.ceil(secondsUntil(bucket, rate, rate.burst)),
    retrySeconds: isAllowed ? 0 : Math.max(...from.map((f) => secondsUntil(f.bucket, f.rate, 1))),
  };
}
