import type { GroupDraft } from '../group/group-draft.ts';
import type { Group } from '../group/group.ts';
import { isCapturable, type CapturableIntent } from '../intent/intent.ts';
import { computeKeptTipMinor, computeNetMinor, computeSlotsMinor } from '../intent/tip.ts';
import { captureDeadlineMs } from './capture.ts';

/**
 * Returns what is captured when the group's time runs out: every payment that can be, where they reach the minimum that the
 * creation set, else none (Q90).
 */
export function findCapturedAtExpiry(draft: GroupDraft): readonly CapturableIntent[] {
  const { nowMs, isRevoked } = draft.context;
  const capturable = draft.group.intents
    .filter(isCapturable)
    .filter(
      (intent) =>
        intent.state === 'captured' ||
        (nowMs < captureDeadlineMs(draft, intent) && !isRevoked(intent.pspCode, intent.credentialVersion)),
    );
  return isMinimumReached(draft.group, capturable) ? capturable : [];
}

/**
 * Returns whether these payments are what the minimum asks for, tips not counted; false where the group has none. Of a charge
 * that the merchant made at the gateway before, what is left of its slots' price after his refunds there counts, and its slots
 * where anything is left.
 */
function isMinimumReached({ captureMinimum }: Group, payments: readonly CapturableIntent[]): boolean {
  if (captureMinimum === null) return false;
  const worth = payments.map((payment) => ({ slots: payment.slotIds.length, minor: findWorth(payment) }));
  if (captureMinimum.unit === 'slots') {
    return (
      worth.reduce((count, { slots, minor }) => (minor > 0n ? count + slots : count), 0) >=
      captureMinimum.count
    );
  }
  return worth.reduce((sum, { minor }) => sum + minor, 0n) >= captureMinimum.minor;
}

function findWorth(payment: CapturableIntent): bigint {
  return payment.state === 'captured'
    ? computeNetMinor(payment) - computeKeptTipMinor(payment)
    : computeSlotsMinor(payment);
}
