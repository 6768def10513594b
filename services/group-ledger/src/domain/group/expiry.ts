import type { GroupDraft } from './group-draft.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { isCollecting, type Group } from './group.ts';
import { refuseState } from './refuse-state.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { timerKey } from '../timers/timer-key.ts';
import { findCapturedAtExpiry } from '../capture/at-expiry.ts';
import { captureEach } from '../capture/capture.ts';
import { requestVoid } from '../void/void.ts';
import { isInFlight } from '../authorization/authorization.ts';
import { canBeEnded, endDeclinedAuthorizations, watchAuthorization, withdraw } from '../intent/end-intent.ts';

/** Returns whether the group should have expired by now; called before every command, so a late timer permits nothing. */
export function isExpiryDue(group: Group, nowMs: number): boolean {
  return nowMs >= group.expiresAtMs && isCollecting(group);
}

/**
 * Ends a group that was not completed in time: every hold is released and no payer is charged. Where its creation set a
 * minimum and what can be captured reaches it, that is captured and only the rest is released (Q90).
 */
export function expire(draft: GroupDraft): void {
  const captured = findCapturedAtExpiry(draft);
  const kept = new Set(captured.map(({ id }) => id));
  draft.patchGroup({ expiredAtMs: draft.context.nowMs });
  closeSlots(draft, 'expire', kept);
  closeIntents(draft, kept);
  captureEach(draft, captured);
  draft.rederive();
}

/** Handles the expiry timer. The expiry itself was performed before; an early timer is set again. */
export function expiryDue(draft: GroupDraft): CommandResult {
  const { group, context } = draft;
  if (draft.isTouched) return undefined;
  if (!isCollecting(group)) return ignore('group_not_collecting');
  if (context.nowMs < group.expiresAtMs)
    draft.setTimer('group_expiry', timerKey.expiry(group.id), group.expiresAtMs);
  return undefined;
}

/** Ends a group on the merchant's or an operator's word, as long as no capture was ever tried. */
export function cancel(draft: GroupDraft): CommandResult {
  if (draft.group.cancelledAtMs !== null) return ignore('already_cancelled');
  if (!isCollecting(draft.group))
    return refuseState(draft.group, {
      message: 'the group payment cannot be cancelled in its current state',
    });
  draft.patchGroup({ cancelledAtMs: draft.context.nowMs });
  closeSlots(draft, 'cancel');
  closeIntents(draft);
  draft.cancelTimer(timerKey.expiry(draft.group.id));
  draft.rederive();
  return undefined;
}

function closeSlots(
  draft: GroupDraft,
  trigger: 'expire' | 'cancel',
  kept: ReadonlySet<string> = new Set(),
): void {
  for (const slot of draft.group.slots) {
    if (slot.intentId !== null && kept.has(slot.intentId)) continue;
    const isFreeOrHeld =
      slot.state === 'unassigned' || slot.state === 'assigned' || slot.state === 'preauthorised';
    if (isFreeOrHeld) draft.moveSlot(slot, trigger, { reservedUntilMs: null });
  }
}

function closeIntents(draft: GroupDraft, kept: ReadonlySet<string> = new Set()): void {
  for (const intent of draft.group.intents) {
    if (kept.has(intent.id)) continue;
    if (intent.state === 'preauthorised') voidHold(draft, intent);
    else if (intent.state === 'created' || intent.state === 'processing') closeUnheld(draft, intent);
    else if (intent.state === 'failed') endDeclinedAuthorizations(draft, intent, false);
  }
}

function voidHold(draft: GroupDraft, intent: IntentIn<'preauthorised'>): void {
  draft.cancelTimer(timerKey.hold(intent.id));
  requestVoid(draft, draft.moveIntent(intent, 'void'), intent.hold.authorizationId);
}

// An authorisation on its way cannot be called back: its outcome is awaited, and a hold is voided on arrival.
function closeUnheld(draft: GroupDraft, intent: Intent): void {
  const inFlight = intent.authorizations.filter(isInFlight);
  if (inFlight.every((authorization) => canBeEnded(intent, authorization))) {
    withdraw(draft, intent);
    return;
  }
  draft.cancelTimer(timerKey.reservation(intent.id));
  for (const { id } of inFlight) watchAuthorization(draft, intent, id);
}
