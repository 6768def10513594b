import { createHash } from 'node:crypto';
import { AppError } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteEndedTries, deleteTries, takeTry } from '../../db/tries.ts';

/** The highest number of tries within a window of `seconds`. */
export type Limit = { readonly most: number; readonly seconds: number };

/** Limits on guessing. Every try is counted before it is checked, so that parallel tries gain nothing. */
export type Limits = {
  /** Passwords tried on one account, whether it exists or not. */
  readonly perAccount: Limit;
  /** Logins, sign-ups and resets requested from one address. */
  readonly perAddress: Limit;
  /** Codes of a second factor tried on one account: a million codes, three of which are right at any time. */
  readonly perCode: Limit;
  /** Limit of mails to one address, so that this service cannot be used to flood a mailbox. */
  readonly perMailbox: Limit;
};

const REAP_EVERY_MS = 10 * 60 * 1000;

/** A counted try: the key by which the tries can be deleted, and the number of this one in its window. */
export type Try = { readonly key: string; readonly count: number };

type Counted = { readonly what: string; readonly of: string; readonly limit: Limit };

/** Counts one try and rejects with `rate_limited` when there were too many. */
export async function countTry(db: Queryable, o: Counted): Promise<Try> {
  const { key, count, waitSeconds } = await take(db, o);
  if (count > o.limit.most)
    throw new AppError('rate_limited', {
      message: 'too many tries; wait a little',
      retryAfterSeconds: waitSeconds,
    });
  return { key, count };
}

/** Counts once more and returns whether the limit allows it. */
export async function isWithin(db: Queryable, o: Counted): Promise<boolean> {
  return (await take(db, o)).count <= o.limit.most;
}

async function take(db: Queryable, { what, of, limit }: Counted): Promise<Try & { waitSeconds: number }> {
  const key = `${what}:${createHash('sha256').update(of).digest('base64url')}`;
  return { key, ...(await takeTry(db, key, limit.seconds)) };
}

/** Deletes the counted tries of a user who has entered the right password or code. */
export async function forgiveTries(db: Queryable, { key }: Try): Promise<void> {
  await deleteTries(db, key);
}

/** Deletes tries whose window is over. */
export function reapTries(db: Queryable): Loop {
  return {
    name: 'reap-tries',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await deleteEndedTries(db)) > 0 ? 'busy' : 'idle'),
  };
}
