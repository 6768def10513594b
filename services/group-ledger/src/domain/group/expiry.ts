import type { Change } from './change.ts';
import { ignore, reject, type Verdict } from '../decision.ts';
import { isCollecting, type Group } from './group.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { isCancellable } from '../gateway-facts.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import { isInFlight } from '../authorization/attempt.ts';
import { endDeclinedAttempts, watchAttempt, withdraw } from '../intent/end-intent.ts';

/** Whether the group should have expired by now; asked before every command, so a late timer permits nothing. */
export function isExpiryDue(group: Group, nowMs: number): boolean {
  return nowMs >= group.expiresAtMs && isCollecting(group);
}

/** Ends a group that was not completed in time: nobody is charged, every hold is given back. */
export function expire(change: Change): void {
  change.patchGroup({ expiredAtMs: change.context.nowMs });
  closeSlots(change, 'expire');
  closeIntents(change);
  change.rederive();
}

/** The expiry timer itself. The expiry was performed before this is asked; an early timer is set again. */
export function expiryDue(change: Change): Verdict {
  const { group, context } = change;
  if (change.isTouched) return undefined;
  if (!isCollecting(group)) return ignore('group_not_collecting');
  if (context.nowMs < group.expiresAtMs)
    change.setTimer('group_expiry', timerKey.expiry(group.id), group.expiresAtMs);
  return undefined;
}

/** Ends a group on the merchant's or an operator's word, as long as no capture was ever tried. */
export function cancel(change: Change): Verdict {
  if (change.group.cancelledAtMs !== null) return ignore('already_cancelled');
  if (change.group.expiredAtMs !== null) return reject('group_expired');
  if (!isCollecting(change.group)) return reject('group_not_payable');
  change.patchGroup({ cancelledAtMs: change.context.nowMs });
  closeSlots(change, 'cancel');
  closeIntents(change);
  change.cancelTimer(timerKey.expiry(change.group.id));
  change.rederive();
  return undefined;
}

function closeSlots(change: Change, trigger: 'expire' | 'cancel'): void {
  for (const slot of change.group.slots) {
    const isFreeOrHeld =
      slot.state === 'unassigned' || slot.state === 'assigned' || slot.state === 'preauthorised';
    if (isFreeOrHeld) change.moveSlot(slot, trigger, { reservedUntilMs: null });
  }
}

function closeIntents(change: Change): void {
  for (const intent of change.group.intents) {
    if (intent.state === 'preauthorised') releaseHold(change, intent);
    else if (intent.state === 'created' || intent.state === 'processing') closeUnheld(change, intent);
    else if (intent.state === 'failed') endDeclinedAttempts(change, intent, false);
  }
}

function releaseHold(change: Change, intent: IntentIn<'preauthorised'>): void {
  change.cancelTimer(timerKey.hold(intent.id));
  requestVoid(change, change.moveIntent(intent, 'void'), intent.hold.attemptId);
}

// An authorisation on its way cannot be called back: its outcome is awaited, and a hold is voided on arrival.
function closeUnheld(change: Change, intent: Intent): void {
  const inFlight = intent.attempts.filter(isInFlight);
  if (inFlight.length === 0 || isCancellable(intent.pspCode)) {
    withdraw(change, intent);
    return;
  }
  change.cancelTimer(timerKey.reservation(intent.id));
  for (const { id } of inFlight) watchAttempt(change, intent, id);
}
