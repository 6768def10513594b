import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';

/** A cached record is read again after this time, because an announced change may have been missed. */
const FRESH_MS = 10_000;

/** Caches records of a table that others write, by their key. */
export type Directory<T> = {
  /** The newest known record; undefined when there is none. Rejects with `service_unavailable` without a database. */
  find(key: string): Promise<T | undefined>;
  /** Applies an announced change of a record at once, before the projection is written. */
  update(record: T): void;
};

export type DirectoryOptions<T> = {
  /** Reads the records with these keys, in any order. */
  readonly load: (keys: readonly string[]) => Promise<readonly T[]>;
  readonly readKey: (record: T) => string;
  /** Grows with every change of a record. */
  readonly readRevision: (record: T) => number;
  /** True when a missing record is normal and is cached too. */
  readonly cachesAbsence?: boolean;
  /** The most records cached; the one cached longest ago is dropped first. */
  readonly most: number;
  /** Monotonic, ms. */
  readonly now?: (() => number) | undefined;
};

type Entry<T> = { readonly record: T | undefined; readonly freshUntil: number };

/**
 * Caches records for ten seconds so that a request needs no database. Between an announced record and a stored one the
 * greater revision wins: an outdated projection does not undo a newer announcement. Look-ups that queue share a
 * statement.
 */
export function directory<T>(o: DirectoryOptions<T>): Directory<T> {
  const now = o.now ?? (() => performance.now());
  const known = new Map<string, Entry<T>>();
  const load = naturalBatch<string, T | undefined>({
    maxSize: 100,
    maxQueued: 1_000,
    overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
    async run(keys) {
      const found = new Map((await o.load(keys)).map((record) => [o.readKey(record), record]));
      return keys.map((key) => found.get(key));
    },
  });

  const store = (key: string, record: T | undefined): T | undefined => {
    const before = known.get(key)?.record;
    const isOlder = before && (!record || o.readRevision(before) > o.readRevision(record));
    const newest = isOlder ? before : record;
    known.delete(key);
    known.set(key, { record: newest, freshUntil: now() + FRESH_MS });
    if (known.size > o.most) deleteOldest(known);
    return newest;
  };

  return {
    update: (record) => void store(o.readKey(record), record),
    async find(key) {
      const entry = known.get(key);
      if (entry && entry.freshUntil > now()) return entry.record;
      const record = await load(key);
      return record || o.cachesAbsence ? store(key, record) : known.get(key)?.record;
    },
  };
}

function deleteOldest(known: Map<string, unknown>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
