import { setTimeout as delay } from 'node:timers/promises';
import { naturalBatch } from '@gp/primitives';
import { AppError } from '@gp/errors';

/** A cached record is read again after this time, because an announced change may have been missed. */
const FRESH_MS = 10_000;
/** How long a request waits for the row of a record that was announced a moment ago, and between two looks. */
const PATIENCE = { totalMs: 500, betweenMs: 20 };

/** Caches records of a table that others write, by their key. */
export type Directory<T> = {
  /** The newest stored record; undefined when there is none. Rejects with `service_unavailable` without a database. */
  find(key: string): Promise<T | undefined>;
  /** Tells of an announced change, so that the table is read until it holds the change. */
  update(record: T): void;
  /** Call it when announcements may have been missed: for ten seconds the table is read for every request. */
  distrust(): void;
};

export type DirectoryOptions<T> = {
  /** Reads the records with these keys, in any order. */
  readonly load: (keys: readonly string[]) => Promise<readonly T[]>;
  readonly readKey: (record: T) => string;
  /** Grows with every change of a record. */
  readonly readRevision: (record: T) => number;
  /** True when a missing record is normal and is cached too. */
  readonly cachesAbsence?: boolean;
  /** True for an announced record that only takes rights away: it counts before the table holds it. */
  readonly takesAway?: (announced: T) => boolean;
  /** The most records cached; the one cached longest ago is dropped first. */
  readonly most: number;
  /** Monotonic, ms. */
  readonly now?: (() => number) | undefined;
};

type Entry<T> = { readonly record: T | undefined; readonly freshUntil: number };
type Announced<T> = { readonly record: T; readonly until: number };

/**
 * Caches records for ten seconds so that a request needs no database. An announcement gives nobody a right: the table
 * alone does, which checks what an announcement may change. While an announced revision is not in the table, the table
 * is read for every request, for ten seconds at most, and so it is after a connection to the bus that was lost: the
 * projection catches up within that time. Look-ups that queue share a statement.
 */
export function directory<T>(o: DirectoryOptions<T>): Directory<T> {
  const now = o.now ?? (() => performance.now());
  const known = new Map<string, Entry<T>>();
  const announced = new Map<string, Announced<T>>();
  let distrustedUntil = -Infinity;
  const load = naturalBatch<string, T | undefined>({
    maxSize: 100,
    maxQueued: 1_000,
    overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
    async run(keys) {
      const found = new Map((await o.load(keys)).map((record) => [o.readKey(record), record]));
      return keys.map((key) => found.get(key));
    },
  });

  const read = async (key: string): Promise<T | undefined> => {
    const record = await load(key);
    if (record || o.cachesAbsence) put(known, key, { record, freshUntil: now() + FRESH_MS }, o.most);
    else known.delete(key);
    return record;
  };
  const findAnnounced = (key: string): T | undefined => {
    const news = announced.get(key);
    if (!news || news.until > now()) return news?.record;
    announced.delete(key);
    return undefined;
  };
  const follow = async (key: string, news: T): Promise<T | undefined> => {
    const giveUpAt = performance.now() + PATIENCE.totalMs;
    for (;;) {
      const record = await read(key);
      if (record && o.readRevision(record) >= o.readRevision(news)) {
        announced.delete(key);
        return record;
      }
      if (o.takesAway?.(news)) return news;
      if (record || o.cachesAbsence || performance.now() > giveUpAt) return record;
      await delay(PATIENCE.betweenMs);
    }
  };

  return {
    update(record) {
      const key = o.readKey(record);
      const before = findAnnounced(key);
      if (before && o.readRevision(before) > o.readRevision(record)) return;
      put(announced, key, { record, until: now() + FRESH_MS }, o.most);
    },
    distrust() {
      distrustedUntil = now() + FRESH_MS;
    },
    async find(key) {
      const news = findAnnounced(key);
      if (news) return follow(key, news);
      if (now() < distrustedUntil) return read(key);
      const entry = known.get(key);
      return entry && entry.freshUntil > now() ? entry.record : read(key);
    },
  };
}

function put<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
