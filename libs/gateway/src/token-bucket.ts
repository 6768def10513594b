import { setTimeout } from 'node:timers/promises';
import type { Mode } from '@gp/contracts';

/** Lower ranks go first: captures take money, voids release holds, queries only read. */
const RANK = { capture: 0, void: 1, refund: 2, query: 3 } as const;
export type Priority = keyof typeof RANK;

/** The account at the gateway that a merchant has in a mode. */
export type Account = { readonly mode: Mode; readonly merchantId: string };

/** How often an account may be called: `burst` at once, then `perSecond`. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export type Budget = {
  /** Resolves when the account may make a call, and counts that call. */
  take(account: Account, priority: Priority): Promise<void>;
  /** Counts a call of work that has begun; it does not wait, and the account's next call waits longer instead. */
  spend(account: Account): void;
  /** Returns a call that was counted and not made. */
  giveBack(account: Account): void;
};

/** A full bucket equals a new one: with more accounts than this, full buckets are dropped. */
const MANY = 1_000;

type Bucket = Rate & {
  tokens: number;
  filledAt: number;
  waiting: { rank: number; go: () => void }[];
  isPumping: boolean;
};

/**
 * Limits the calls of each account, so that a thousand voids of one merchant neither exceed the gateway's limit nor delay
 * the same merchant's captures. Waiting calls go by priority, then in order of arrival.
 */
export function openBudget(findRate: (account: Account) => Rate): Budget {
  const buckets = new Map<string, Bucket>();

  const fill = (bucket: Bucket): void => {
    const now = performance.now();
    bucket.tokens = Math.min(
      bucket.burst,
      bucket.tokens + ((now - bucket.filledAt) / 1_000) * bucket.perSecond,
    );
    bucket.filledAt = now;
  };
  const pump = async (bucket: Bucket): Promise<void> => {
    bucket.isPumping = true;
    while (bucket.waiting.length > 0) {
      await setTimeout(Math.max(1, ((1 - bucket.tokens) / bucket.perSecond) * 1_000));
      fill(bucket);
      while (bucket.tokens >= 1 && bucket.waiting.length > 0) {
        bucket.tokens -= 1;
        bucket.waiting.shift()?.go();
      }
    }
    bucket.isPumping = false;
  };
  const deleteFull = (): void => {
    for (const [account, bucket] of buckets) {
      fill(bucket);
      if (bucket.tokens >= bucket.burst) buckets.delete(account);
    }
  };
  const find = (account: Account): Bucket => {
    if (buckets.size > MANY) deleteFull();
    const key = `${account.mode}:${account.merchantId}`;
    const bucket = buckets.get(key) ?? newBucket(findRate(account));
    buckets.set(key, bucket);
    fill(bucket);
    return bucket;
  };

  return {
    spend: (account) => void (find(account).tokens -= 1),
    giveBack(account) {
      const bucket = find(account);
      bucket.tokens = Math.min(bucket.burst, bucket.tokens + 1);
    },
    take(account, priority) {
      const bucket = find(account);
      if (bucket.tokens >= 1 && bucket.waiting.length === 0) {
        bucket.tokens -= 1;
        return Promise.resolve();
      }
      return new Promise((go) => {
        const rank = RANK[priority];
        const at = bucket.waiting.findIndex((other) => other.rank > rank);
        bucket.waiting.splice(at < 0 ? bucket.waiting.length : at, 0, { rank, go });
        if (!bucket.isPumping) void pump(bucket);
      });
    },
  };
}

const newBucket = (rate: Rate): Bucket => ({
  ...rate,
  tokens: rate.burst,
  filledAt: performance.now(),
  waiting: [],
  isPumping: false,
});
