import type { GroupDraft } from '../group/group-draft.ts';
import type { Group } from '../group/group.ts';
import { isCapturable, type CapturableIntent } from '../intent/intent.ts';
import { computeSlotsMinor } from '../intent/tip.ts';
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

/** Returns whether these payments are what the minimum asks for, tips not counted; false where the group has none. */
function isMinimumReached({ captureMinimum }: Group, payments: readonly CapturableIntent[]): boolean {
  if (captureMinimum === null) return false;
  if (captureMinimum.unit === 'slots') {
    return payments.reduce((count, { slotIds }) => count + slotIds.length, 0) >= captureMinimum.count;
  }
  return payments.reduce((sum, payment) => sum + computeSlotsMinor(payment), 0n) >= captureMinimum.minor;
}
