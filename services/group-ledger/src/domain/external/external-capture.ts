import type { Failure } from '@gp/contracts';
import { awaitsCapture, bookCapture, confirmCapture, countAsCapture } from '../capture/capture.ts';
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
import { postNet } from '../books/post-net.ts';
import { failRefund } from '../refund/record-refund.ts';
import { findAuthorization, type Authorization } from '../authorization/authorization.ts';
import {
  isAnotherAuthorization,
  isIntentIn,
  isWinner,
  type Intent,
  type IntentIn,
} from '../intent/intent.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid } from '../void/void.ts';
import {
  bookOutsideSlots,
  isUnreported,
  placeHoldOfCharge,
  reverseOutsideSlots,
  type Found,
} from './outside-slots.ts';

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
  return found ? recordCharge(draft, found, command.amountMinor) : reject('not_found');
}

/** Books a charge that no capture of ours explains, where its authorization is counted, else outside the slots (Q82). */
export function recordCharge(draft: GroupDraft, found: Found, reportedMinor: bigint): CommandResult {
  if (isReleasedAtEnd(draft.group, found.intent, found.authorization))
    return bookAfterEnd(draft, found.intent, found.authorization, reportedMinor);
  const { intent, authorization } = placeHoldOfCharge(draft, found, reportedMinor);
  if (!isWinner(intent, authorization.id))
    return bookOutsideSlots(draft, { intent, authorization }, reportedMinor);
  const capture = findCapture(draft.group, intent.id);
  if (capture) {
    if (capture.state !== 'captured') draft.alert('captured_outside', intent.id);
    return confirmCapture(draft, intent, capture, reportedMinor);
  }
  if (intent.state !== 'preauthorised' || !isCollecting(draft.group)) {
    if (intent.amountCapturedMinor > 0n) return ignore('already_captured');
    draft.alert('captured_after_release', intent.id);
    return undefined;
  }
  draft.alert('captured_outside', intent.id);
  bookCapture(draft, intent, authorization.id, 'mirror_capture', reportedMinor);
  draft.rederive();
  return undefined;
}

/**
 * Returns whether the hold was to be released because its group ended, and no slot of its payment has passed to another
 * one. A charge of it can be booked on the ended group. A payment whose capture was ordered at the end is none of these.
 */
export function isReleasedAtEnd(
  group: Group,
  intent: Intent,
  { state, amountMinor, amountCapturedMinor }: Authorization,
): intent is IntentIn<'void_pending' | 'failed'> {
  // A charge also proves a hold that was not reported yet.
  const mayHold = isUnreported(state);
  const isUncharged = state === 'authorised' && amountCapturedMinor === 0n;
  const isHeld = mayHold || (isUncharged && amountMinor === intent.amountMinor);
  const isReleased = isIntentIn(intent, 'void_pending', 'failed') && intent.amountCapturedMinor === 0n;
  const slots = group.slots.filter(({ id }) => intent.slotIds.includes(id));
  const isNobodyElses = slots.every(({ intentId }) => intentId === intent.id || intentId === null);
  return isEnded(group) && isHeld && isReleased && isNobodyElses && !findCapture(group, intent.id);
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
  const captured = bookCapture(draft, draft.intent(intent), id, 'mirror_capture', reportedMinor);
  // Where the expiry captured others, this charge is one of the group's captures (Q90).
  if (draft.group.captures.length > 0) countAsCapture(draft, captured);
  draft.rederive();
  return undefined;
}

/**
 * Repair: the scheme reversed a confirmed capture. A reversal that arrives before the capture is rejected and delivered again:
 * a success that followed it would stand.
 */
export function reverseCapture(draft: GroupDraft, command: CommandOf<'reverseCapture'>): CommandResult {
  const found = findIntent(draft.group, command.intentId);
  if (!found) return reject('not_found');
  if (isAnotherAuthorization(found, command)) return reverseOutsideSlots(draft, found, command);
  const capture = findCapture(draft.group, found.id);
  if (capture && awaitsCapture(found, capture)) return reject('conflict');
  draft.alert('capture_reversed', found.id);
  const intent = withoutRefund(draft, found);
  if (intent.state !== 'captured') return undefined;
  const authorizationId = intent.hold.authorizationId;
  if (capture) draft.patch('captures', capture, { state: 'failed' });
  draft.moveIntentSlots(intent, 'reverse_capture');
  const reversed = draft.moveIntent(intent, 'reverse_capture', {
    failure: takenBack,
    amountCapturedMinor: intent.amountRefundedMinor,
  });
  postNet(draft, 'payer:authorised', { before: intent, after: reversed }, authorizationId);
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
