import type { Failure } from '@gp/contracts';
import { askAbout } from '../authorization/ask.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, type CommandResult } from '../decision.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { captureDeadlineMs, voidKeptHold } from '../capture/capture.ts';
import { findIntent, isCollecting } from '../group/group.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import { isInFlight } from '../authorization/authorization.ts';
import { canBeEnded, endDeclinedAuthorizations, failIntent, voidExpiringHold } from '../intent/end-intent.ts';

const notFinished: Failure = {
  code: 'reservation_expired',
  message: 'the payment was not finished in time; its slots are free again',
  retryable: true,
};

/**
 * Ends a reservation that the payer did not finish. Its slots are released, unless the payer may still succeed: then the
 * gateway gets the order to end the payment if nothing is held, or, where that is impossible, a question; the slots stay
 * taken until the outcome is reported.
 */
export function reservationExpiryDue(
  draft: GroupDraft,
  command: CommandOf<'reservationExpiryDue'>,
): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (intent?.state === 'failed') return endDeclined(draft, intent);
  const isWaiting = intent?.state === 'created' || intent?.state === 'processing';
  if (!intent || !isWaiting || !isCollecting(draft.group)) return ignore('reservation_already_over');
  const { nowMs, policy } = draft.context;
  const reservedUntilMs = reservationEndMs(draft, intent);
  if (nowMs < reservedUntilMs) {
    draft.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
    return undefined;
  }
  const inFlight = intent.authorizations.find(isInFlight);
  if (!inFlight) {
    failIntent(draft, intent, 'authorise', notFinished);
    draft.rederive();
    return undefined;
  }
  if (canBeEnded(intent, inFlight)) requestVoid(draft, intent, inFlight.id, true);
  else askAbout(draft, intent, inFlight);
  draft.setTimer('reservation', timerKey.reservation(intent.id), nowMs + policy.rearmMs, {
    intentId: intent.id,
  });
  return undefined;
}

// After a decline the payer could still try another card on the same payment, long after its reservation.
function endDeclined(draft: GroupDraft, intent: Intent): CommandResult {
  endDeclinedAuthorizations(draft, intent, isCollecting(draft.group));
  return draft.isTouched ? undefined : ignore('reservation_already_over');
}

function reservationEndMs(draft: GroupDraft, intent: Intent): number {
  let endMs = 0;
  for (const slot of draft.group.slots) {
    if (slot.intentId === intent.id) endMs = Math.max(endMs, slot.reservedUntilMs ?? 0);
  }
  return endMs;
}

/**
 * A hold is about to die at the gateway. While the group is collecting it is given back and its slots can be paid
 * again; one that a failed capture kept is released.
 */
export function holdExpiryDue(draft: GroupDraft, command: CommandOf<'holdExpiryDue'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (intent?.state === 'preauthorised' && isCollecting(draft.group)) return giveBack(draft, intent);
  if (intent?.state !== 'capture_failed') return ignore('no_hold_to_lapse');
  const deadlineMs = captureDeadlineMs(draft, intent);
  if (draft.context.nowMs < deadlineMs) rearm(draft, intent, deadlineMs);
  else if (!voidKeptHold(draft, intent)) return ignore('no_hold_to_lapse');
  return undefined;
}

function giveBack(draft: GroupDraft, intent: IntentIn<'preauthorised'>): CommandResult {
  const { nowMs, policy } = draft.context;
  const dueAtMs = intent.hold.captureBeforeMs - policy.holdMarginMs;
  if (nowMs < dueAtMs) {
    rearm(draft, intent, dueAtMs);
    return undefined;
  }
  voidExpiringHold(draft, intent);
  draft.rederive();
  return undefined;
}

function rearm(draft: GroupDraft, intent: Intent, dueAtMs: number): void {
  draft.setTimer('hold_lapse', timerKey.hold(intent.id), dueAtMs, { intentId: intent.id });
}
