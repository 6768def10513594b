import { noteKeyExposure, type ApiKeyRecord, type KeyExposure } from '@gp/contracts';
import type { OutboundMessage } from '@gp/bus';
import type { Loop } from '@gp/service';
import { uuidv7 } from 'uuidv7';

/** A leaked key may come with every request: sightings are summed up for this long before they are reported. */
const REPORT_EVERY_MS = 5_000;
/** The most origins reported for one key in that time; further ones count as the last of them. */
const MOST_ORIGINS_PER_KEY = 5;
/** The most keys kept in that time; sightings of further ones wait for the next interval. */
const MOST_KEYS = 1_000;
const LONGEST_ORIGIN = 255;

type Sightings = Map<string, KeyExposure>;

export type KeyExposures = {
  note(key: ApiKeyRecord, origin: string): void;
  /** Reports the sightings since the last run; those that could not be published are kept for the next. */
  readonly loop: Loop;
};

/**
 * Counts the live secret keys that browsers sent, and reports them to the dashboard. Counts in memory are lost when the
 * process dies; a key that stands in a page is sent again.
 */
export function keyExposures(o: {
  publish: (message: OutboundMessage) => Promise<void>;
  now?: () => Date;
}): KeyExposures {
  const now = o.now ?? (() => new Date());
  const seen = new Map<string, Sightings>();

  return {
    note(key, origin) {
      const ofKey = seen.get(key.key_id) ?? new Map<string, KeyExposure>();
      if (ofKey.size === 0 && seen.size >= MOST_KEYS) return;
      seen.set(key.key_id, ofKey);
      count(ofKey, toExposure(key, origin, now().toISOString()));
    },
    loop: {
      name: 'report-key-exposures',
      idleMs: REPORT_EVERY_MS,
      async runOnce() {
        for (const [keyId, sightings] of seen) {
          for (const [origin, exposure] of sightings) {
            const { mode } = exposure;
            sightings.delete(origin);
            await o
              .publish({ id: uuidv7(), subject: noteKeyExposure.subject, mode, payload: exposure })
              .catch((error: unknown) => {
                count(sightings, exposure);
                throw error;
              });
          }
          if (sightings.size === 0) seen.delete(keyId);
        }
        return 'idle';
      },
    },
  };
}

function count(sightings: Sightings, exposure: KeyExposure): void {
  const isNew = !sightings.has(exposure.origin);
  const origin =
    isNew && sightings.size >= MOST_ORIGINS_PER_KEY ? findLastOrigin(sightings) : exposure.origin;
  const before = sightings.get(origin);
  const instants = [before, exposure].flatMap((e) => (e ? [e.first_seen_at, e.last_seen_at] : [])).sort();
  sightings.set(origin, {
    ...exposure,
    origin,
    count: (before?.count ?? 0) + exposure.count,
    first_seen_at: instants[0] ?? exposure.first_seen_at,
    last_seen_at: instants.at(-1) ?? exposure.last_seen_at,
  });
}

const findLastOrigin = (sightings: Sightings): string => [...sightings.keys()].at(-1) ?? '';

function toExposure({ merchant_id, mode, key_id }: ApiKeyRecord, origin: string, at: string): KeyExposure {
  const shown = origin.slice(0, LONGEST_ORIGIN).toWellFormed();
  return { merchant_id, mode, key_id, origin: shown, count: 1, first_seen_at: at, last_seen_at: at };
}
