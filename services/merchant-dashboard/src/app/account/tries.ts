import { createHash } from 'node:crypto';
import { AppError } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteEndedTries, forgetTries, takeTry } from '../../db/tries.ts';

/** How often something may be tried within a window. */
export type Limit = { readonly most: number; readonly seconds: number };

/** Limits on guessing. Every try counts before it is judged, so that many at once gain nothing. */
export type Limits = {
  /** Passwords tried on one account, whether it exists or not. */
  readonly perAccount: Limit;
  /** Log-ins, sign-ups and resets asked for from one address. */
  readonly perAddress: Limit;
  /** Codes of a second factor tried on one account: a million codes, three of which are right at any time. */
  readonly perCode: Limit;
  /** Mails to one address: nobody's mailbox is filled through us. */
  readonly perMailbox: Limit;
};

const REAP_EVERY_MS = 10 * 60 * 1000;

/** Counts one try and rejects with `rate_limited` when there were too many. Answers the key, to forget it by. */
export async function countTry(
  db: Queryable,
  { what, of, limit }: { what: string; of: string; limit: Limit },
): Promise<string> {
  const key = `${what}:${createHash('sha256').update(of).digest('base64url')}`;
  const { count, waitSeconds } = await takeTry(db, key, limit.seconds);
  if (count > limit.most)
    throw new AppError('rate_limited', {
      message: 'too many tries; wait a little',
      retryAfterSeconds: waitSeconds,
    });
  return key;
}

/** Forgets the tries of somebody who has proved to be right. */
export async function forgiveTries(db: Queryable, key: string): Promise<void> {
  await forgetTries(db, key);
}

/** The network of an address: IPv6 hands a /64 to everybody, who could try from each of its addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}

/** Forgets tries whose window is over. */
export function reapTries(db: Queryable): Loop {
  return {
    name: 'reap-tries',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await deleteEndedTries(db)) > 0 ? 'busy' : 'idle'),
  };
}
