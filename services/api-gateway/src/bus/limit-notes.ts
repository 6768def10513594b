import { randomUUID } from 'node:crypto';
import type { Bus, Closable } from '@gp/bus';
import { declinesAsked, declinesReported, limitsSpent } from '@gp/contracts';
import type { Loop, Wake } from '@gp/service';
import type { DeclineGuard, DeclineReport } from '../app/limits/decline-guard.ts';
import type { RateLimits } from '../app/limits/rate-limits.ts';

/** How often a replica announces the requests it admitted; it bounds how much the replicas admit in excess. */
const SHARE_MS = 100;
/** A note stays far below the message size that NATS allows. */
const MOST_IN_A_NOTE = 1_000;

/** The fact that a payment failed, of any group. */
export const FAILED = 'evt.ledger.payment_intent.failed.v1.*';
/** Failures in which the card was declined; an unavailable gateway is none of them. */
const DECLINES: ReadonlySet<unknown> = new Set(['card_declined', 'authentication_required']);
/** The failure of a payment that the payer did not finish in time. */
const ABANDONED = 'reservation_expired';

/** Lets the replicas count together: the loop announces this replica's counts, the rest receives the others'. */
export function shareLimits(
  bus: Bus,
  { limits, guard }: { limits: RateLimits; guard: DeclineGuard },
): { listeners: Closable[]; loop: Loop } {
  const from = randomUUID();
  let wake: Wake = () => undefined;
  const announceSoon = (): void => wake(SHARE_MS);
  limits.whenSpent(announceSoon);
  const listeners = [
    bus.listenTo(limitsSpent, (note) => {
      if (note.from !== from) limits.subtract(note.spent);
    }),
    bus.listenTo(declinesReported, (note) => guard.merge(note)),
    bus.listenTo(declinesAsked, (asked) => {
      if (asked.from !== from) publish(bus, guard.collectAll());
    }),
    bus.listen(FAILED, ({ payload }) => {
      const failed = parseFailure(payload);
      if (!failed) return;
      if (failed.isDeclined) guard.declined(failed);
      else guard.abandoned(failed);
      announceSoon();
    }),
  ];
  let hasAsked = false;
  const loop: Loop = {
    name: 'share-limits',
    idleMs: SHARE_MS,
    onWake: (given) => void (wake = given),
    runOnce() {
      const spent = limits.collect();
      // No replica receives us: the buckets refill what was admitted meanwhile before a connection is back.
      if (!bus.isConnected()) return Promise.resolve('idle');
      if (!hasAsked) bus.announce(declinesAsked.subject, { from });
      hasAsked = true;
      for (const part of splitIntoNotes(spent)) bus.announce(limitsSpent.subject, { from, spent: part });
      const report = guard.collect();
      publish(bus, report);
      return Promise.resolve(spent.length + report.declines.length > 0 ? 'idle' : 'empty');
    },
  };
  return { listeners, loop };
}

function publish(bus: Bus, { declines, blocks }: DeclineReport): void {
  for (const part of splitIntoNotes(declines))
    bus.announce(declinesReported.subject, { declines: part, blocks: [] } satisfies DeclineReport);
  for (const part of splitIntoNotes(blocks))
    bus.announce(declinesReported.subject, { declines: [], blocks: part } satisfies DeclineReport);
}

function splitIntoNotes<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / MOST_IN_A_NOTE);
  return Array.from({ length: count }, (_, at) => all.slice(at * MOST_IN_A_NOTE, (at + 1) * MOST_IN_A_NOTE));
}

type Failed = { id?: unknown; group_id?: unknown; data?: { payment_intent_id?: unknown; failure?: unknown } };

function parseFailure(payload: unknown) {
  const { id, group_id: groupId, data } = (payload ?? {}) as Failed;
  const { stage, code } = (data?.failure ?? {}) as { stage?: unknown; code?: unknown };
  const intentId = data?.payment_intent_id;
  const isDeclined = DECLINES.has(code);
  if (stage !== 'authorise' || !(isDeclined || code === ABANDONED)) return undefined;
  if (typeof id !== 'string' || typeof groupId !== 'string' || typeof intentId !== 'string') return undefined;
  return { id, groupId, intentId, isDeclined };
}
