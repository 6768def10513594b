import type { Failure } from '@gp/contracts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { FailureStage } from '../domain-event.ts';
import { findIntent, findOpenVoid, type Group } from '../group/group.ts';
import { isCancellable, isPreparedAtGateway } from '../gateway-facts.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import { type Authorization, isInFlight } from '../authorization/authorization.ts';
import type { Intent, IntentIn } from './intent.ts';

const expiring: Failure = {
  code: 'authorization_expiring',
  message: 'the hold would have ended before the group was complete and was released; pay again',
  retryable: true,
};

const freed = { assignedCustomerId: null, reservedUntilMs: null, intentId: null };

/** Ends the intent without a hold and gives its slots back at once, for anybody to take. */
export function failIntent(draft: GroupDraft, intent: Intent, stage: FailureStage, failure: Failure): void {
  draft.moveIntentSlots(intent, 'release', freed);
  draft.moveIntent(intent, 'fail', { failure });
  // The timer stays where another card may still be tried: it then ends the payment at the gateway.
  const canTryAgain =
    isCancellable(intent.pspCode) && intent.authorizations.some(({ state }) => state === 'declined');
  if (!canTryAgain) draft.cancelTimer(timerKey.reservation(intent.id));
  draft.announceFailure(intent.id, stage, failure);
}

/** Takes a hold out of a group that is still collecting: its slots can be paid again. */
export function expireHold(draft: GroupDraft, intent: Intent, failure: Failure): void {
  draft.moveIntentSlots(intent, 'lapse', freed);
  draft.moveIntent(intent, 'lapse', { failure });
  draft.cancelTimer(timerKey.hold(intent.id));
  draft.announceFailure(intent.id, 'hold', failure);
}

/** Releases a hold that would die before it can be captured; its payer pays again. */
export function voidExpiringHold(draft: GroupDraft, intent: IntentIn<'preauthorised'>): void {
  requestVoid(draft, intent, intent.hold.authorizationId);
  expireHold(draft, intent, expiring);
}

/** Replaces an unheld intent by a newer one of the same payer. Whatever it still brings in is voided. */
export function supersede(draft: GroupDraft, intent: Intent, supersededBy: string): void {
  draft.moveIntentSlots(intent, 'release', freed);
  withdraw(draft, draft.patchIntent(intent, { supersededBy }));
}

/**
 * Ends an intent that never held: an authorization that the gateway can cancel is cancelled, one in flight is awaited and
 * voided if it succeeds.
 */
export function withdraw(draft: GroupDraft, intent: Intent): void {
  const ended = draft.moveIntent(intent, 'void');
  draft.cancelTimer(timerKey.reservation(intent.id));
  for (const authorization of intent.authorizations) endAuthorization(draft, ended, authorization);
  settleVoid(draft, intent.id);
}

/**
 * Whether an order can end the authorization before the payer acts: on a payment that was prepared, or one whose payer is
 * awaited at the bank. That one is in flight and has the name that the gateway gave it.
 */
export function canBeEnded({ pspCode }: Intent, authorization: Authorization): boolean {
  const isNamed = isInFlight(authorization) && authorization.pspReference !== null;
  return isCancellable(pspCode) || (isNamed && !isPreparedAtGateway(pspCode));
}

function endAuthorization(draft: GroupDraft, intent: Intent, authorization: Authorization): void {
  const canStillSucceed = isInFlight(authorization) || authorization.state === 'declined';
  if (canBeEnded(intent, authorization) && canStillSucceed) {
    // The void is queried until it has an outcome.
    draft.cancelTimer(timerKey.query(authorization.id));
    requestVoid(draft, intent, authorization.id);
  } else if (isInFlight(authorization)) watchAuthorization(draft, intent, authorization.id);
}

/** Ends payments at the gateway that were declined and could still be paid with another card. */
export function endDeclinedAuthorizations(
  draft: GroupDraft,
  intent: Intent,
  unlessAuthorised: boolean,
): void {
  if (!isCancellable(intent.pspCode)) return;
  for (const { id, state } of intent.authorizations) {
    if (state === 'declined') requestVoid(draft, intent, id, unlessAuthorised);
  }
}

/** Sets the timer that queries the gateway about the authorization, in case no report arrives. */
export function watchAuthorization(draft: GroupDraft, intent: Intent, authorizationId: string): void {
  const dueAtMs = draft.context.nowMs + draft.context.policy.authoriseSilenceMs;
  draft.setTimer('authorisation_query', timerKey.query(authorizationId), dueAtMs, {
    intentId: intent.id,
    authorizationId,
  });
}

/** Calls a withdrawn intent `voided` once none of its authorizations can hold money any more. */
export function settleVoid(draft: GroupDraft, intentId: string): void {
  const intent = findIntent(draft.group, intentId);
  if (intent?.state !== 'void_pending') return;
  if (intent.authorizations.every((authorization) => isDead(draft.group, authorization)))
    draft.moveIntent(intent, 'confirm_void');
}

function isDead(group: Group, authorization: Authorization): boolean {
  if (findOpenVoid(group, authorization.id)) return false;
  return authorization.state !== 'authorised' && !isInFlight(authorization);
}
