import type { Failure } from '@gp/contracts';
import { recallLater } from './ask.ts';
import { failCapture } from '../capture/capture.ts';
import type { Change } from '../group/change.ts';
import { ignore, type Verdict } from '../decision.ts';
import { findIntent, findOpenVoid, isCollecting } from '../group/group.ts';
import { attemptMachine, type AttemptTrigger } from './attempt.machine.ts';
import { isCancellable } from '../gateway-facts.ts';
import { isWinner, type Intent } from '../intent/intent.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid, requestVoid } from '../void/void.ts';
import type { Attempt } from './attempt.ts';
import { failIntent, lapseIntent, settleVoid } from '../intent/end-intent.ts';

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
 * Applies the news that an attempt holds nothing any more and never will: our release was confirmed (`void`),
 * the gateway ended it by itself (`lapse`), or there never was such a payment (`miss`).
 */
export function endHold(
  change: Change,
  intent: Intent,
  attempt: Attempt,
  how: 'void' | 'lapse' | 'miss',
): Verdict {
  // What became a charge is no hold any more: only a refund or the scheme undoes it.
  const isCharged = isWinner(intent, attempt.id) && intent.amountCapturedMinor > 0n;
  if (isCharged && attempt.state === 'authorised') return ignore('already_captured');
  const order = findOpenVoid(change.group, attempt.id);
  // What the gateway once held it cannot have missed.
  const trigger: AttemptTrigger = how === 'miss' && attempt.state === 'authorised' ? 'lapse' : how;
  if (!attemptMachine.next(attempt.state, trigger)) {
    if (!order) return ignore('attempt_already_ended');
    closeVoid(change, attempt.id, how === 'lapse' ? 'lapsed' : 'confirmed');
    settleVoid(change, intent.id);
    return undefined;
  }
  const ended = change.moveAttempt(intent, attempt, trigger, {});
  if (attempt.state === 'authorised' && attempt.amountMinor !== null) {
    change.post('group:held', 'payer:authorised', attempt.amountMinor, intent.id, attempt.id);
  }
  change.cancelTimer(timerKey.query(attempt.id));
  if (trigger === 'miss') recallLater(change, intent, attempt);
  closeVoid(change, attempt.id, how === 'lapse' ? 'lapsed' : 'confirmed');
  react(
    change,
    findIntent(change.group, ended.id) ?? ended,
    attempt,
    order ? reservationEnded : notAuthorised,
  );
  settleVoid(change, intent.id);
  change.rederive();
  return undefined;
}

/**
 * Ends the payment at the gateway once the hold that was to be captured is gone: where the payer acts there he could pay
 * once more, for nothing.
 */
export function closePayment(change: Change, intent: Intent, attemptId: string): void {
  if (isCancellable(intent.pspCode)) requestVoid(change, intent, attemptId);
}

function react(change: Change, intent: Intent, attempt: Attempt, failure: Failure): void {
  switch (intent.state) {
    case 'created':
    case 'processing':
      if (intent.attempts.at(-1)?.id === attempt.id) failIntent(change, intent, 'authorise', failure);
      return;
    case 'preauthorised':
      if (isWinner(intent, attempt.id) && isCollecting(change.group)) {
        lapseIntent(change, intent, lapsed);
      }
      return;
    case 'capture_pending':
      if (isWinner(intent, attempt.id)) {
        failCapture(change, intent, { ...lapsed, retryable: false }, { isHoldGone: true });
      }
      return;
    default:
  }
}
