import { timingSafeEqual } from 'node:crypto';
import type { ApiKeyRecord } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findApiKeys } from '../../db/api-keys.ts';
import { directory, type Directory } from './directory.ts';

/** Some 300 bytes each. */
const MOST_KEYS = 20_000;

/** API keys by their digest, revoked ones included. */
export type KeyDirectory = Directory<ApiKeyRecord>;

/** Caches API keys. A missing key is not cached: its record may be about to arrive. */
export function keyDirectory(o: { db: Db; now?: () => number }): KeyDirectory {
  const { find, update, distrust } = directory<ApiKeyRecord>({
    load: (digests) => findApiKeys(o.db, digests),
    readKey: ({ digest }) => digest,
    readRevision: ({ revision }) => revision,
    takesAway: ({ revoked_at }) => revoked_at !== null,
    most: MOST_KEYS,
    now: o.now,
  });
  return {
    update,
    distrust,
    async find(digest) {
      const record = await find(digest);
      return record && isSame(record.digest, digest) ? record : undefined;
    },
  };
}

/** The look-up compared the digests byte by byte; the response time must not depend on how far it got. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
