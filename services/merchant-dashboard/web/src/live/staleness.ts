import type { Mode } from '../shell/mode.ts';
import type { Schedule } from './refresher.ts';

/** The ids of group payments that have changed, or all of them. */
export type Changed = ReadonlySet<string> | 'all';

/** Rows and details: people watch them. */
const SHOWN: Schedule = { afterMs: [0], paceMs: 1_000 };
/** Sums over many rows. */
const SUMS: Schedule = { afterMs: [0], paceMs: 5_000 };
/**
 * What follows from a change without being announced: its event a moment later, then the delivery of the event. A list
 * that shows a delivery under way watches that one itself.
 */
const SENT: Schedule = { afterMs: [1_000, 4_000], paceMs: 1_000 };
const SENT_SUMS: Schedule = { afterMs: [1_000, 4_000], paceMs: 5_000 };
/** A group payment with the deliveries in its timeline. */
const DETAIL: Schedule = { afterMs: [0, 3_000], paceMs: 1_000 };

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns when a query is loaded again because group payments have changed; undefined where it shows nothing that
 * depends on them. The parts of its key are those of its address below `/api`, the mode first.
 */
export function findSchedule(
  [of, what, which]: readonly unknown[],
  { mode, changed }: { readonly mode: Mode; readonly changed: Changed },
): Schedule | undefined {
  if (of !== mode) return undefined;
  const isOne = typeof which === 'string' && ID.test(which);
  switch (what) {
    case 'group-payments':
      if (!isOne) return SHOWN;
      return changed === 'all' || changed.has(which) ? DETAIL : undefined;
    case 'search':
      return SHOWN;
    case 'customers':
      return isOne ? SUMS : SHOWN;
    case 'events':
      // One event never changes.
      return isOne ? undefined : SENT;
    case 'webhooks':
      // The list of endpoints has the sums of a day.
      return isOne ? SENT : SENT_SUMS;
    case 'charts':
      return which === 'money' ? SUMS : SENT_SUMS;
    case 'balance':
    case 'statement':
    case 'movements':
    case 'setup':
      return SUMS;
    default:
      return undefined;
  }
}
