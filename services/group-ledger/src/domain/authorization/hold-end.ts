import type { Failure } from '@gp/contracts';
import { scheduleLateQuery } from './ask.ts';
import { failCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { findOpenVoid, isCollecting } from '../group/group.ts';
import { authorizationMachine, type AuthorizationTrigger } from './authorization.machine.ts';
import { isCancellable } from '../gateway-facts.ts';
import { isChargeBooked, isWinner, type Intent } from '../intent/intent.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid, requestVoid } from '../void/void.ts';
import type { Authorization } from './authorization.ts';
import { failIntent, expireHold, settleVoid } from '../intent/end-intent.ts';

const lapsed: Failure = {
  code: 'authorization_expired',
  message: 'the hold on the card ended at the gateway; pay again',
  retryable: true,
};
const reservationEnded: Failure = {
  code: 'reservation_expired',
  message: 'the payment was not finished in time; its slots are free again',
  retryable: true,
};
const notAuthorised: Failure = {
  code: 'not_authorised',
  message: 'the payment was not authorised',
  retryable: true,
};

/**
 * Applies a report that an authorization holds nothing any more and never will: our release was confirmed (`void`),
 * the gateway ended it by itself (`lapse`), or there never was such a payment (`miss`).
 */
export function endHold(
  draft: GroupDraft,
  intent: Intent,
  authorization: Authorization,
  how: 'void' | 'lapse' | 'miss',
): CommandResult {
  // A captured hold is no hold any more: only a refund or the scheme undoes it.
  const isCharged = isChargeBooked(intent, authorization);
  if (isCharged && authorization.state === 'authorised') return ignore('already_captured');
  const order = findOpenVoid(draft.group, authorization.id);
  // A hold that the gateway reported once cannot be absent.
  const trigger: AuthorizationTrigger =
    how === 'miss' && authorization.state === 'authorised' ? 'lapse' : how;
  if (!authorizationMachine.next(authorization.state, trigger)) {
    if (!order) return ignore('attempt_already_ended');
    closeVoid(draft, authorization.id, how === 'lapse' ? 'lapsed' : 'confirmed');
    settleVoid(draft, intent.id);
    return undefined;
  }
  const ended = draft.moveAuthorization(intent, authorization, trigger, {});
  const wasHeld = authorization.state === 'authorised';
  if (wasHeld && authorization.amountMinor !== null) {
    draft.post('group:held', 'payer:authorised', authorization.amountMinor, intent.id, authorization.id);
  }
  draft.cancelTimer(timerKey.query(authorization.id));
  if (trigger === 'miss') scheduleLateQuery(draft, intent, authorization);
  closeVoid(draft, authorization.id, how === 'lapse' ? 'lapsed' : 'confirmed');
  react(draft, draft.intent(ended), authorization, order ? reservationEnded : notAuthorised);
  settleVoid(draft, intent.id);
  if (wasHeld && !hasLiveHold(ended)) draft.announce('payment_intent.released', intent.id);
  draft.rederive();
  return undefined;
}

/** Returns whether money is held, or was captured, under some authorization of the intent. */
function hasLiveHold({ authorizations }: Intent): boolean {
  return authorizations.some(({ state }) => state === 'authorised');
}

/**
 * Ends the payment at the gateway once the hold that was to be captured is gone: otherwise a payer who acts there could pay
 * once more, for nothing.
 */
export function closePayment(draft: GroupDraft, intent: Intent, authorizationId: string): void {
  if (isCancellable(intent.pspCode)) requestVoid(draft, intent, authorizationId);
}

function react(draft: GroupDraft, intent: Intent, authorization: Authorization, failure: Failure): void {
  switch (intent.state) {
    case 'created':
    case 'processing':
      if (intent.authorizations.at(-1)?.id === authorization.id)
        failIntent(draft, intent, 'authorise', failure);
      return;
    case 'preauthorised':
      if (isWinner(intent, authorization.id) && isCollecting(draft.group)) {
        expireHold(draft, intent, lapsed);
      }
      return;
    case 'capture_pending':
      if (isWinner(intent, authorization.id)) {
        failCapture(draft, intent, { ...lapsed, retryable: false }, { isHoldGone: true });
      }
      return;
    default:
  }
}
