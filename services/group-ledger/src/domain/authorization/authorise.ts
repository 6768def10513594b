import type { Failure } from '@gp/contracts';
import { askAbout, askLater, recallLater } from './ask.ts';
import type { Change } from '../group/change.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type Reply, type Verdict } from '../decision.ts';
import { endHold } from './hold-end.ts';
import { placeHold, takenSlotIds } from './hold.ts';
import { findHold, hasHold, type Intent } from '../intent/intent.ts';
import { findIntent, isCollecting, locateAttempt } from '../group/group.ts';
import { isPreparedAtGateway } from '../gateway-facts.ts';
import { newAttempt } from '../slot/reserve.ts';
import { timerKey } from '../timers/timer-key.ts';
import { type Attempt, isInFlight } from './attempt.ts';
import { failIntent, settleVoid, watchAttempt } from '../intent/end-intent.ts';

/**
 * Opens a try to authorise where our server calls the gateway with the card (gateway_b). There is never a second
 * try while the outcome of one is not known. After a decline the slots are taken again, all or none.
 */
export function beginAuthorisation(change: Change, command: CommandOf<'beginAuthorisation'>): Verdict {
  const { group, context } = change;
  const intent = findIntent(group, command.intentId);
  if (!intent) return reject('not_found');
  if (isPreparedAtGateway(intent.pspCode)) return reject('confirm_not_supported');
  if (hasHold(intent)) return ignore('already_held', replyFor(intent, 'held'));
  const inFlight = intent.attempts.find(isInFlight);
  if (inFlight) {
    const status = inFlight.state === 'unknown' ? 'unknown' : 'in_flight';
    return ignore('authorisation_in_flight', replyFor(intent, status, inFlight));
  }
  if (group.expiredAtMs !== null) return reject('group_expired');
  if (!isCollecting(group)) return reject('group_not_payable');
  if (intent.state !== 'created' && intent.state !== 'failed') return reject('slot_no_longer_available');
  if (intent.declines >= context.policy.maxDeclines) return reject('too_many_declines');
  if (context.isRevoked(intent.pspCode, intent.credentialVersion)) return reject('no_active_gateway');
  const taken = takenSlotIds(group, intent);
  if (taken.length > 0) return reject('slot_no_longer_available', taken);
  return { kind: 'reply', reply: begin(change, intent) };
}

function begin(change: Change, intent: Intent): Reply {
  const { newId, nowMs } = change.context;
  if (intent.state === 'failed') retakeSlots(change, intent);
  const attempt = newAttempt(newId(), nowMs, intent.attempts.length + 1);
  const begun = change.moveIntent(intent, 'begin', { attempts: [...intent.attempts, attempt] });
  watchAttempt(change, begun, attempt.id);
  change.rederive();
  return replyFor(begun, 'begun', attempt);
}

function retakeSlots(change: Change, intent: Intent): void {
  const { nowMs, policy } = change.context;
  const reservedUntilMs = nowMs + policy.reservationTtlMs[intent.pspCode];
  const owner = { assignedCustomerId: intent.customerId, reservedUntilMs, intentId: intent.id };
  for (const slot of change.group.slots) {
    if (intent.slotIds.includes(slot.id)) change.moveSlot(slot, 'reserve', owner);
  }
  change.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
}

function replyFor(
  intent: Intent,
  status: 'begun' | 'held' | 'in_flight' | 'unknown',
  attempt?: Attempt,
): Reply {
  const attemptId = attempt?.id ?? findHold(intent)?.attemptId ?? null;
  return {
    kind: 'authorisation',
    status,
    intentId: intent.id,
    attemptId,
    seq: attempt?.seq ?? intent.attempts.length,
  };
}

/**
 * The payer is being authenticated at the gateway: the slots are kept longer, a limited number of times. To find that
 * by asking renews nothing.
 */
export function noteAuthorising(change: Change, command: CommandOf<'noteAuthorising'>): Verdict {
  const found = locateAttempt(change.group, command);
  if (!found) return reject('not_found');
  const { intent, attempt } = found;
  const isWaiting = intent.state === 'created' || intent.state === 'processing';
  if (!isWaiting || !isInFlight(attempt) || !isCollecting(change.group)) return ignore('too_late');
  if (command.isAnswer && intent.state === 'processing') return ignore('authentication_already_known');
  if (!command.isAnswer && intent.renewals >= change.context.policy.maxRenewals)
    return ignore('no_more_renewals');
  const begun = intent.state === 'created' ? change.moveIntent(intent, 'begin') : intent;
  const noted = change.patchAttempt(begun, attempt, {
    pspReference: command.pspReference ?? attempt.pspReference,
  });
  if (!command.isAnswer) renew(change, noted);
  return undefined;
}

function renew(change: Change, intent: Intent): void {
  const { nowMs, policy } = change.context;
  const reservedUntilMs = nowMs + policy.reservationTtlMs[intent.pspCode];
  change.patchIntent(intent, { renewals: intent.renewals + 1 });
  for (const slot of change.group.slots) {
    if (slot.intentId === intent.id && slot.state === 'assigned')
      change.patch('slots', slot, { reservedUntilMs });
  }
  change.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
}

/** Applies what the gateway said about one attempt to authorise. */
export function recordAuthorisation(change: Change, command: CommandOf<'recordAuthorisation'>): Verdict {
  const found = locateAttempt(change.group, command);
  if (!found) return reject('not_found');
  const { intent, attempt } = found;
  const { result } = command;
  switch (result.status) {
    case 'authorised':
      return placeHold(change, intent, attempt, result);
    case 'declined':
      return decline(change, intent, attempt, result.failure);
    case 'unknown':
      return markUnknown(change, intent, attempt);
    case 'absent':
      // Only silence is explained by absence: what was answered once is not unsaid.
      return isInFlight(attempt)
        ? endHold(change, intent, attempt, 'miss')
        : ignore('attempt_already_answered');
    case 'lapsed':
      return endHold(change, intent, attempt, 'lapse');
  }
}

// A decline is definite, and a late one cannot undo a hold.
function decline(change: Change, intent: Intent, attempt: Attempt, failure: Failure): Verdict {
  if (!isInFlight(attempt)) return ignore('attempt_already_answered');
  const declines = intent.declines + 1;
  const declined = change.patchIntent(change.moveAttempt(intent, attempt, 'decline'), { declines });
  change.cancelTimer(timerKey.query(attempt.id));
  if (intent.state === 'created' || intent.state === 'processing') {
    failIntent(change, declined, 'authorise', failure);
  } else {
    settleVoid(change, intent.id);
  }
  change.rederive();
  return undefined;
}

function markUnknown(change: Change, intent: Intent, attempt: Attempt): Verdict {
  // Where the payer acts at the gateway no call of ours was lost: most likely he has not acted yet.
  if (isPreparedAtGateway(intent.pspCode)) return ignore('nothing_known_yet');
  if (attempt.state !== 'started') return ignore('attempt_already_answered');
  const asked = change.moveAttempt(intent, attempt, 'time_out');
  if (intent.state === 'created') change.moveIntent(asked, 'begin', { unknown: true });
  else change.patchIntent(asked, { unknown: true });
  askLater(change, intent, attempt, 0);
  return undefined;
}

/** Asks again how an attempt ended, until the gateway tells or the hold it may have placed is dead anyway. */
export function authorisationQueryDue(change: Change, command: CommandOf<'authorisationQueryDue'>): Verdict {
  const found = locateAttempt(change.group, command);
  if (!found) return ignore('attempt_already_answered');
  const { intent, attempt } = found;
  if (attempt.state === 'absent') {
    askAbout(change, intent, attempt);
    recallLater(change, intent, attempt);
    return undefined;
  }
  if (!isInFlight(attempt)) return ignore('attempt_already_answered');
  const { nowMs, policy } = change.context;
  const ageMs = nowMs - attempt.startedAtMs;
  askAbout(change, intent, attempt);
  if (ageMs >= policy.unresolvedAlertMs) change.alert('authorisation_unresolved', intent.id);
  if (ageMs < policy.holdWindowMs) askLater(change, intent, attempt, command.step + 1);
  return undefined;
}

/** Asks now, on an operator's word, what the gateway knows of every try of a payment, ended ones too. */
export function askGateway(change: Change, command: CommandOf<'askGateway'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (!intent) return reject('not_found');
  if (intent.attempts.length === 0) return reject('conflict');
  for (const attempt of intent.attempts) askAbout(change, intent, attempt);
  return undefined;
}
