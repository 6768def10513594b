import type { Failure } from '@gp/contracts';
import { askAbout, askLater, scheduleLateQuery } from './ask.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, rejectSlots, type Reply, type CommandResult } from '../decision.ts';
import { endHold } from './hold-end.ts';
import { placeHold, takenSlotIds } from './hold.ts';
import { findHold, hasHold, type Intent } from '../intent/intent.ts';
import { findIntent, isCollecting, locateAuthorization } from '../group/group.ts';
import { refuseState } from '../group/refuse-state.ts';
import { isPreparedAtGateway } from '../gateway-facts.ts';
import { newAuthorization } from '../slot/reserve.ts';
import { timerKey } from '../timers/timer-key.ts';
import { type Authorization, isInFlight } from './authorization.ts';
import { failIntent, settleVoid, watchAuthorization } from '../intent/end-intent.ts';

const TAKEN = { param: 'payment_intent_id', reason: 'is no longer available' };

/**
 * Opens a try to authorise where our server calls the gateway with the card. There is never a second
 * try while the outcome of one is not known. After a decline the slots are taken again, all or none.
 */
export function beginAuthorisation(
  draft: GroupDraft,
  command: CommandOf<'beginAuthorisation'>,
): CommandResult {
  const { group, context } = draft;
  const intent = findIntent(group, command.intentId);
  if (!intent) return reject('not_found');
  if (isPreparedAtGateway(intent.pspCode)) return reject('confirm_not_supported');
  if (hasHold(intent)) return ignore('already_held', buildReply(intent, 'held'));
  const inFlight = intent.authorizations.find(isInFlight);
  if (inFlight) {
    const status = inFlight.state === 'unknown' ? 'unknown' : 'in_flight';
    return ignore('authorisation_in_flight', buildReply(intent, status, inFlight));
  }
  if (!isCollecting(group)) return refuseState(group);
  if (intent.state !== 'created' && intent.state !== 'failed') return reject('slot_no_longer_available');
  if (intent.declines >= context.policy.maxDeclines) return reject('too_many_declines');
  if (context.isRevoked(intent.pspCode, intent.credentialVersion)) return reject('no_active_gateway');
  const taken = takenSlotIds(group, intent);
  if (taken.length > 0) return rejectSlots('slot_no_longer_available', taken, TAKEN);
  return { kind: 'reply', reply: begin(draft, intent) };
}

function begin(draft: GroupDraft, intent: Intent): Reply {
  const { newId, nowMs } = draft.context;
  if (intent.state === 'failed') retakeSlots(draft, intent);
  const authorization = newAuthorization(newId(), nowMs, intent.authorizations.length + 1);
  const begun = draft.moveIntent(intent, 'begin', {
    authorizations: [...intent.authorizations, authorization],
  });
  watchAuthorization(draft, begun, authorization.id);
  draft.rederive();
  return buildReply(begun, 'begun', authorization);
}

function retakeSlots(draft: GroupDraft, intent: Intent): void {
  const { nowMs, policy } = draft.context;
  const reservedUntilMs = nowMs + policy.reservationTtlMs[intent.pspCode];
  const owner = { assignedCustomerId: intent.customerId, reservedUntilMs, intentId: intent.id };
  for (const slot of draft.group.slots) {
    if (intent.slotIds.includes(slot.id)) draft.moveSlot(slot, 'reserve', owner);
  }
  draft.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
}

function buildReply(
  intent: Intent,
  status: 'begun' | 'held' | 'in_flight' | 'unknown',
  authorization?: Authorization,
): Reply {
  const authorizationId = authorization?.id ?? findHold(intent)?.authorizationId ?? null;
  return {
    kind: 'authorisation',
    status,
    intentId: intent.id,
    authorizationId,
    seq: authorization?.seq ?? intent.authorizations.length,
  };
}

/**
 * The payer is being authenticated at the gateway: the slots are kept longer, a limited number of times. A query that
 * reports it renews nothing.
 */
export function noteAuthorising(draft: GroupDraft, command: CommandOf<'noteAuthorising'>): CommandResult {
  const found = locateAuthorization(draft.group, command);
  if (!found) return reject('not_found');
  const { intent, authorization } = found;
  const isWaiting = intent.state === 'created' || intent.state === 'processing';
  if (!isWaiting || !isInFlight(authorization) || !isCollecting(draft.group)) return ignore('too_late');
  // After a lost answer only a query brings the name under which the payment can be ended.
  const isNamed = command.pspReference === null || authorization.pspReference !== null;
  if (command.isAnswer && intent.state === 'processing' && isNamed)
    return ignore('authentication_already_known');
  if (!command.isAnswer && intent.renewals >= draft.context.policy.maxRenewals)
    return ignore('no_more_renewals');
  const begun = intent.state === 'created' ? draft.moveIntent(intent, 'begin') : intent;
  const noted = draft.patchAuthorization(begun, authorization, {
    pspReference: command.pspReference ?? authorization.pspReference,
  });
  if (!command.isAnswer) renew(draft, noted);
  return undefined;
}

function renew(draft: GroupDraft, intent: Intent): void {
  const { nowMs, policy } = draft.context;
  const reservedUntilMs = nowMs + policy.reservationTtlMs[intent.pspCode];
  draft.patchIntent(intent, { renewals: intent.renewals + 1 });
  for (const slot of draft.group.slots) {
    if (slot.intentId === intent.id && slot.state === 'assigned')
      draft.patch('slots', slot, { reservedUntilMs });
  }
  draft.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
}

/** Applies the outcome of one authorization. */
export function recordAuthorisation(
  draft: GroupDraft,
  command: CommandOf<'recordAuthorisation'>,
): CommandResult {
  const found = locateAuthorization(draft.group, command);
  if (!found) return reject('not_found');
  const { intent, authorization } = found;
  const { result } = command;
  switch (result.status) {
    case 'authorised':
      return placeHold(draft, intent, authorization, result);
    case 'declined':
      return decline(draft, intent, authorization, result.failure);
    case 'unknown':
      return markUnknown(draft, intent, authorization);
    case 'absent':
      // Absence ends only an authorization without an outcome; a reported outcome stands.
      return isInFlight(authorization)
        ? endHold(draft, intent, authorization, 'miss')
        : ignore('attempt_already_answered');
    case 'lapsed':
      return endHold(draft, intent, authorization, 'lapse');
  }
}

// A decline is definite, and a late one cannot undo a hold.
function decline(
  draft: GroupDraft,
  intent: Intent,
  authorization: Authorization,
  failure: Failure,
): CommandResult {
  if (!isInFlight(authorization)) return ignore('attempt_already_answered');
  const declines = intent.declines + 1;
  const declined = draft.patchIntent(draft.moveAuthorization(intent, authorization, 'decline'), { declines });
  draft.cancelTimer(timerKey.query(authorization.id));
  if (intent.state === 'created' || intent.state === 'processing') {
    failIntent(draft, declined, 'authorise', failure);
  } else {
    settleVoid(draft, intent.id);
  }
  draft.rederive();
  return undefined;
}

function markUnknown(draft: GroupDraft, intent: Intent, authorization: Authorization): CommandResult {
  // Where the payer acts at the gateway no call of ours was lost: most likely the payer has not acted yet.
  if (isPreparedAtGateway(intent.pspCode)) return ignore('nothing_known_yet');
  if (authorization.state !== 'started') return ignore('attempt_already_answered');
  const asked = draft.moveAuthorization(intent, authorization, 'time_out');
  if (intent.state === 'created') draft.moveIntent(asked, 'begin', { unknown: true });
  else draft.patchIntent(asked, { unknown: true });
  askLater(draft, intent, authorization, 0);
  return undefined;
}

/** Queries an authorization again until the gateway reports its outcome or a hold it may have placed has ended. */
export function authorisationQueryDue(
  draft: GroupDraft,
  command: CommandOf<'authorisationQueryDue'>,
): CommandResult {
  const found = locateAuthorization(draft.group, command);
  if (!found) return ignore('attempt_already_answered');
  const { intent, authorization } = found;
  if (authorization.state === 'absent') {
    askAbout(draft, intent, authorization);
    scheduleLateQuery(draft, intent, authorization);
    return undefined;
  }
  if (!isInFlight(authorization)) return ignore('attempt_already_answered');
  const { nowMs, policy } = draft.context;
  const ageMs = nowMs - authorization.startedAtMs;
  askAbout(draft, intent, authorization);
  if (ageMs >= policy.unresolvedAlertMs) draft.alert('authorisation_unresolved', intent.id);
  if (ageMs < policy.holdWindowMs) askLater(draft, intent, authorization, command.step + 1);
  return undefined;
}

/** Queries every authorization of a payment now, at an operator's command, ended ones too. */
export function askGateway(draft: GroupDraft, command: CommandOf<'askGateway'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (intent.authorizations.length === 0) return reject('conflict');
  for (const authorization of intent.authorizations) askAbout(draft, intent, authorization);
  return undefined;
}
