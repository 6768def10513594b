import { timingSafeEqual } from 'node:crypto';
import { naturalBatch } from '@gp/batch';
import type { ApiKeyRecord } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { findApiKeys } from '../db/api-keys.ts';

/** A key is looked up again after this long, whatever was heard or missed in between. */
const FRESH_MS = 10_000;
/** Keys remembered; the one unused for longest goes first. Some 300 bytes each. */
const MOST_KEYS = 20_000;

export type KeyDirectory = {
  /** The newest known record of a key, revoked or not; rejects with `service_unavailable` without a database. */
  find(digest: string): Promise<ApiKeyRecord | undefined>;
  /** Takes news about a key at once, ahead of the projection. */
  learn(record: ApiKeyRecord): void;
};

type Entry = { readonly record: ApiKeyRecord; readonly freshUntil: number };

/**
 * Remembers keys for ten seconds so that a request costs no database. Of what was heard and what was read the
 * greater revision wins: news that overtake their own projection are not undone by reading it. Look-ups that
 * queue share a statement.
 */
export function keyDirectory(o: { db: Db; now?: () => number }): KeyDirectory {
  const now = o.now ?? (() => performance.now());
  const known = new Map<string, Entry>();
  const load = naturalBatch<string, ApiKeyRecord | undefined>({
    maxSize: 100,
    maxQueued: 1_000,
    overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
    async run(digests) {
      const found = new Map((await findApiKeys(o.db, digests)).map((record) => [record.digest, record]));
      return digests.map((digest) => found.get(digest));
    },
  });

  const remember = (record: ApiKeyRecord): ApiKeyRecord => {
    const before = known.get(record.digest)?.record;
    const newest = before && before.revision > record.revision ? before : record;
    known.delete(record.digest);
    known.set(record.digest, { record: newest, freshUntil: now() + FRESH_MS });
    if (known.size > MOST_KEYS) forgetOldest(known);
    return newest;
  };

  return {
    learn: (record) => void remember(record),
    async find(digest) {
      const entry = known.get(digest);
      const record = entry && entry.freshUntil > now() ? entry.record : await reload(digest);
      return record && isSame(record.digest, digest) ? record : undefined;
    },
  };

  async function reload(digest: string): Promise<ApiKeyRecord | undefined> {
    const record = await load(digest);
    return record ? remember(record) : known.get(digest)?.record;
  }
}

function forgetOldest(known: Map<string, Entry>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

/** The look-up compared the digests byte by byte; the answer must not depend on how far it got. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
