import type { GroupFacts, IntentState } from '@gp/contracts';
import { findReminderTime } from './remind-at.ts';
import type { Fate, MailKind, SkipReason } from './payer-mail.ts';

/** What the ledger knows at the moment a mail is due. */
export type Known = {
  readonly state: IntentState;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly email: string;
  readonly facts: GroupFacts;
  readonly expiresAtMs: number;
};

/** What becomes of a due mail. */
export type MailDecision =
  | { readonly do: 'send' }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'skip'; readonly reason: SkipReason };

const SEND: MailDecision = { do: 'send' };
const OVERTAKEN: MailDecision = { do: 'skip', reason: 'overtaken' };
const RELEASED: readonly IntentState[] = ['void_pending', 'voided', 'failed', 'capture_failed'];

/**
 * Returns whether a mail is still true. A mail about a hold is sent only while the group waits for other payers: the payer who
 * completes the group gets the mail about the charge. A reminder waits for its time, which moves when the group's end moves.
 */
export function decideMail(
  mail: { readonly kind: MailKind; readonly occurredAtMs: number },
  known: Known,
  nowMs: number,
): MailDecision {
  if (isErased(known.email)) return { do: 'skip', reason: 'erased' };
  switch (mail.kind) {
    case 'held':
      return known.state === 'preauthorised' ? SEND : OVERTAKEN;
    case 'charged':
      return known.capturedMinor > 0n ? SEND : OVERTAKEN;
    case 'released':
      return RELEASED.includes(known.state) ? SEND : OVERTAKEN;
    case 'refunded':
      return known.refundedMinor > 0n ? SEND : OVERTAKEN;
    case 'organiser_reminder':
      return known.facts.awaits_payers && nowMs < known.expiresAtMs ? SEND : OVERTAKEN;
    case 'reminder': {
      const atMs = findReminderTime(mail.occurredAtMs, known.expiresAtMs);
      const isOver =
        known.state !== 'preauthorised' || !known.facts.awaits_payers || nowMs >= known.expiresAtMs;
      if (atMs === undefined || isOver) return OVERTAKEN;
      return nowMs < atMs ? { do: 'wait', untilMs: atMs } : SEND;
    }
  }
}

/** The ledger gives an erased payer an address that cannot exist. */
const isErased = (email: string): boolean => email.endsWith('.invalid');

/** Returns the state of a payment as its payer sees it. A failed one whose hold was announced was released. */
export function findFate({
  state,
  unknown,
  wasHeld,
  capturedMinor,
  refundedMinor,
}: Pick<Known, 'state' | 'capturedMinor' | 'refundedMinor'> & {
  readonly unknown: boolean;
  readonly wasHeld: boolean;
}): Fate {
  if (capturedMinor > 0n) {
    if (refundedMinor === 0n) return 'charged';
    return refundedMinor < capturedMinor ? 'part_refunded' : 'refunded';
  }
  if (state === 'preauthorised' || state === 'capture_pending') return 'held';
  if (state === 'capture_failed') return 'capture_failed';
  if (unknown) return 'pending';
  if (RELEASED.includes(state)) return wasHeld ? 'released' : 'unfinished';
  return state === 'created' ? 'unfinished' : 'pending';
}
