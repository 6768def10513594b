import { noteKeyUse, type ApiKeyRecord, type KeyUse } from '@gp/contracts';
import type { OutboundMessage } from '@gp/bus';
import type { Loop } from '@gp/service';
import { uuidv7 } from 'uuidv7';

/** How often the loop checks for uses to report. */
const LOOK_EVERY_MS = 5_000;
/** The pause between two reports of a busy key: its merchant needs to know that it is used, not how often. */
const REPORT_EVERY_MS = 60_000;
/** The most keys kept; further ones wait until others were idle for a while. */
const MOST_KEYS = 10_000;
const LONGEST_ADDRESS = 64;

type Known = { use: KeyUse; isReported: boolean; reportedAtMs: number };

export type KeyUses = {
  note(key: ApiKeyRecord, address: string): void;
  /** Reports the keys that were used since their last report. */
  readonly loop: Loop;
};

/**
 * Records when and from where each key was used last, and reports it to the dashboard, the first use at once and then at
 * most once a minute. Records in memory are lost when the process dies; a key that is in use is used again.
 */
export function keyUses(o: {
  publish: (message: OutboundMessage) => Promise<void>;
  now?: () => number;
}): KeyUses {
  const now = o.now ?? Date.now;
  const known = new Map<string, Known>();
  return {
    note({ merchant_id, mode, key_id }, address) {
      const before = known.get(key_id);
      if (!before && known.size >= MOST_KEYS) return;
      const last_used_at = new Date(now()).toISOString();
      const use = { merchant_id, mode, key_id, last_used_at, address: address.slice(0, LONGEST_ADDRESS) };
      known.set(key_id, { use, isReported: false, reportedAtMs: before?.reportedAtMs ?? -Infinity });
    },
    loop: {
      name: 'report-key-uses',
      idleMs: LOOK_EVERY_MS,
      async runOnce() {
        for (const [keyId, one] of known) {
          if (now() - one.reportedAtMs < REPORT_EVERY_MS) continue;
          if (one.isReported) known.delete(keyId);
          else await report(o.publish, one, now());
        }
        return 'idle';
      },
    },
  };
}

async function report(
  publish: (message: OutboundMessage) => Promise<void>,
  one: Known,
  atMs: number,
): Promise<void> {
  const { use } = one;
  await publish({ id: uuidv7(), subject: noteKeyUse.subject, mode: use.mode, payload: use });
  // A use during the publish has replaced this record; the next run reports the replacement.
  one.isReported = true;
  one.reportedAtMs = atMs;
}
