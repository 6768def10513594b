import type { Failure } from '@gp/contracts';
import { awaitsCapture, bookCapture, confirmCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import {
  findCapture,
  findIntent,
  findOpenRefund,
  isCollecting,
  isEnded,
  locateAuthorization,
  type Group,
} from '../group/group.ts';
import { closePayment } from '../authorization/hold-end.ts';
import { failRefund } from '../refund/record-refund.ts';
import { findAuthorization, type Authorization } from '../authorization/authorization.ts';
import { isIntentIn, isWinner, type Intent, type IntentIn } from '../intent/intent.ts';
import { authorizationMachine } from '../authorization/authorization.machine.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid } from '../void/void.ts';

const takenBack: Failure = {
  code: 'capture_reversed',
  message: 'the card scheme took the payment back',
  retryable: false,
};

/**
 * Records that the merchant captured a hold in the gateway's own dashboard. While the group is collecting this neither
 * starts capturing nor prevents expiry; when the group has ended, the charge is booked instead of the release. An
 * operator decides what follows.
 */
export function recordExternalCapture(
  draft: GroupDraft,
  command: CommandOf<'recordExternalCapture'>,
): CommandResult {
  const found = locateAuthorization(draft.group, command);
  if (!found) return reject('not_found');
  const { intent, authorization } = found;
  if (isReleasedAtEnd(draft.group, intent, authorization))
    return bookAfterEnd(draft, intent, authorization, command.amountMinor);
  if (!isWinner(intent, authorization.id)) return alertUnexpectedCapture(draft, intent);
  const capture = findCapture(draft.group, intent.id);
  if (capture) {
    if (capture.state !== 'captured') draft.alert('captured_outside', intent.id);
    return confirmCapture(draft, intent, capture, command.amountMinor);
  }
  if (intent.state !== 'preauthorised' || !isCollecting(draft.group)) {
    return intent.amountCapturedMinor > 0n
      ? ignore('already_captured')
      : alertUnexpectedCapture(draft, intent);
  }
  draft.alert('captured_outside', intent.id);
  bookCapture(draft, intent, authorization.id, 'mirror_capture', command.amountMinor);
  draft.rederive();
  return undefined;
}

/**
 * Returns whether the hold was to be released because its group ended, and no slot of its payment has passed to another
 * one. A charge of it can be booked on the ended group.
 */
export function isReleasedAtEnd(
  group: Group,
  intent: Intent,
  { state, amountMinor }: Authorization,
): intent is IntentIn<'void_pending' | 'failed'> {
  // A charge also proves a hold that was not reported yet.
  const mayHold = authorizationMachine.next(state, 'authorise') !== undefined;
  const isHeld = mayHold || (state === 'authorised' && amountMinor === intent.amountMinor);
  const isReleased = isIntentIn(intent, 'void_pending', 'failed') && intent.amountCapturedMinor === 0n;
  const slots = group.slots.filter(({ id }) => intent.slotIds.includes(id));
  const isNobodyElses = slots.every(({ intentId }) => intentId === intent.id || intentId === null);
  return isEnded(group) && isHeld && isReleased && isNobodyElses;
}

/** Books the charge of a hold that was to be released: from now on only a refund gives the money back. */
export function bookAfterEnd(
  draft: GroupDraft,
  intent: IntentIn<'void_pending' | 'failed'>,
  { id, state }: Authorization,
  reportedMinor: bigint,
): CommandResult {
  if (state !== 'authorised') {
    draft.moveAuthorization(intent, { id }, 'authorise', { amountMinor: intent.amountMinor });
    draft.post('payer:authorised', 'group:held', intent.amountMinor, intent.id, id);
    draft.cancelTimer(timerKey.query(id));
  }
  closeVoid(draft, id, 'refused');
  draft.alert('captured_after_release', intent.id);
  const owner = { intentId: intent.id, assignedCustomerId: intent.customerId };
  for (const slot of draft.group.slots) {
    if (intent.slotIds.includes(slot.id) && slot.intentId === null) draft.patch('slots', slot, owner);
  }
  bookCapture(draft, draft.intent(intent), id, 'mirror_capture', reportedMinor);
  return undefined;
}

/** A capture of another authorization is a second charge, which the ledger cannot reverse. */
function alertUnexpectedCapture(draft: GroupDraft, intent: Intent): CommandResult {
  draft.alert('captured_after_release', intent.id);
  return undefined;
}

/**
 * Repair: the scheme reversed a confirmed capture. A reversal that arrives before the capture is rejected and delivered again:
 * a success that followed it would stand.
 */
export function reverseCapture(draft: GroupDraft, command: CommandOf<'reverseCapture'>): CommandResult {
  const found = findIntent(draft.group, command.intentId);
  if (!found) return reject('not_found');
  const capture = findCapture(draft.group, found.id);
  if (capture && awaitsCapture(found, capture)) return reject('conflict');
  draft.alert('capture_reversed', found.id);
  const intent = withoutRefund(draft, found);
  if (intent.state !== 'captured') return undefined;
  const authorizationId = intent.hold.authorizationId;
  const takenBackMinor = intent.amountCapturedMinor - intent.amountRefundedMinor;
  if (capture) draft.patch('captures', capture, { state: 'failed' });
  draft.moveIntentSlots(intent, 'reverse_capture');
  const reversed = draft.moveIntent(intent, 'reverse_capture', {
    failure: takenBack,
    amountCapturedMinor: intent.amountRefundedMinor,
  });
  draft.post('merchant:captured', 'payer:authorised', takenBackMinor, intent.id, authorizationId);
  const authorization = findAuthorization(reversed, authorizationId);
  if (authorization?.state === 'authorised') draft.moveAuthorization(reversed, authorization, 'reverse');
  closePayment(draft, reversed, authorizationId);
  draft.announceFailure(intent.id, 'capture', takenBack);
  draft.rederive();
  return undefined;
}

/**
 * After a reversal nothing is left to refund: a refund in flight fails, whatever its own outcome will be.
 * The gateway reports a reversal once, so it cannot wait for that.
 */
function withoutRefund(draft: GroupDraft, intent: Intent): Intent {
  const line = findOpenRefund(draft.group, intent.id);
  if (!line) return intent;
  failRefund(draft, intent, line, takenBack);
  return draft.intent(intent);
}
