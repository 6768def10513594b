import type { Failure } from '@gp/contracts';
import { awaitsCapture, bookCapture, confirmCapture } from '../capture/capture.ts';
import type { Change } from '../group/change.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type Verdict } from '../decision.ts';
import {
  atMost,
  findCapture,
  findIntent,
  findOpenRefund,
  isCollecting,
  locateAttempt,
} from '../group/group.ts';
import { closePayment } from '../authorization/hold-end.ts';
import { failRefund } from '../refund/record-refund.ts';
import { bookRefund, newRefundLine } from '../refund/refund.ts';
import { findAttempt } from '../authorization/attempt.ts';
import { isWinner, type Intent, type IntentIn } from '../intent/intent.ts';

/**
 * The merchant captured a hold in the gateway's own dashboard. While the group is collecting this neither starts
 * capturing nor closes the door to expiry: a person decides what follows.
 */
export function mirrorCapture(change: Change, command: CommandOf<'mirrorCapture'>): Verdict {
  const found = locateAttempt(change.group, command);
  if (!found) return reject('not_found');
  const { intent, attempt } = found;
  if (!isWinner(intent, attempt.id)) return tellOfCapture(change, intent);
  const capture = findCapture(change.group, intent.id);
  if (capture) {
    if (capture.state !== 'captured') change.alert('captured_outside', intent.id);
    return confirmCapture(change, intent, capture, command.amountMinor);
  }
  if (intent.state !== 'preauthorised' || !isCollecting(change.group)) {
    return intent.amountCapturedMinor > 0n ? ignore('already_captured') : tellOfCapture(change, intent);
  }
  change.alert('captured_outside', intent.id);
  bookCapture(change, intent, attempt.id, 'mirror_capture', command.amountMinor);
  change.rederive();
  return undefined;
}

/** Of another try than the one that was captured it is a second charge, which nothing here can take back. */
function tellOfCapture(change: Change, intent: Intent): Verdict {
  change.alert('captured_after_release', intent.id);
  return undefined;
}

/**
 * Money went back in the gateway's own dashboard. A whole refund counts as requested; a partial one is recorded
 * and left to a person, the slots stay captured. A refund of what was never captured is a release, not ours; what
 * overtook the news it builds on has to come again. A second charge given back is told to a person and booked nowhere:
 * nor was the charge.
 */
export function mirrorRefund(change: Change, command: CommandOf<'mirrorRefund'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (!intent) return reject('not_found');
  if (change.group.refundLines.some(({ refundId }) => refundId === command.refundId))
    return ignore('told_twice');
  if (isOfAnotherTry(intent, command)) {
    change.alert('refunded_outside', intent.id);
    return undefined;
  }
  if (isOnItsWay(change, intent)) return reject('conflict');
  if (intent.state !== 'captured') return ignore('not_captured');
  const leftMinor = intent.amountCapturedMinor - intent.amountRefundedMinor;
  const amountMinor = atMost(command.amountMinor, leftMinor);
  change.alert('refunded_outside', intent.id);
  const isWhole = amountMinor === leftMinor;
  if (isWhole) mirrorWholeRefund(change, intent, command.refundId, amountMinor);
  else mirrorPartialRefund(change, intent, amountMinor);
  return undefined;
}

/** Of a charge beside the one that counts: nothing here knows its money. */
function isOfAnotherTry(intent: Intent, { attemptId }: { readonly attemptId?: string | null }): boolean {
  return attemptId !== undefined && attemptId !== null && !isWinner(intent, attemptId);
}

/** Told before the capture it gives back, or while a refund of ours is open: only what comes of that says what is left. */
function isOnItsWay({ group }: Change, intent: Intent): boolean {
  const capture = findCapture(group, intent.id);
  return (
    findOpenRefund(group, intent.id) !== undefined ||
    (capture !== undefined && awaitsCapture(intent, capture))
  );
}

function mirrorWholeRefund(
  change: Change,
  intent: IntentIn<'captured'>,
  refundId: string,
  amountMinor: bigint,
): void {
  // Before the group was captured nothing of it could be refunded: the group's own count starts afterwards.
  const refundNumber = change.group.captures.length === 0 ? 0 : change.group.refundNumber + 1;
  if (refundNumber > 0) change.patchGroup({ refundNumber });
  const line = newRefundLine(change, intent, { refundId, refundNumber, source: 'external' }, amountMinor);
  change.add('refundLines', line);
  change.rederive();
  change.patch('refundLines', line, { state: 'refunded' });
  bookRefund(change, change.moveIntent(intent, 'mirror_refund'), line, amountMinor);
  change.rederive();
}

function mirrorPartialRefund(change: Change, intent: IntentIn<'captured'>, amountMinor: bigint): void {
  change.patchIntent(intent, { amountRefundedMinor: intent.amountRefundedMinor + amountMinor });
  change.post('merchant:captured', 'payer:refunded', amountMinor, intent.id, intent.hold.attemptId);
}

/**
 * The payer disputes the payment, or the dispute ended: refunds are refused in between. That of a second charge forbids
 * no refund of the one that counts.
 */
export function mirrorDispute(change: Change, command: CommandOf<'mirrorDispute'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (!intent) return reject('not_found');
  if (isOfAnotherTry(intent, command)) {
    if (!command.disputed) return ignore('of_another_try');
    change.alert('disputed', intent.id);
    return undefined;
  }
  if (intent.disputed === command.disputed) return ignore('told_twice');
  change.patchIntent(intent, { disputed: command.disputed });
  if (command.disputed) change.alert('disputed', intent.id);
  return undefined;
}

const takenBack: Failure = {
  code: 'capture_reversed',
  message: 'the card scheme took the payment back',
  retryable: false,
};

/**
 * Repair: the scheme took back a capture that was confirmed. Told before the ledger heard of that, it has to come again:
 * a success that followed would stand.
 */
export function reverseCapture(change: Change, command: CommandOf<'reverseCapture'>): Verdict {
  const found = findIntent(change.group, command.intentId);
  if (!found) return reject('not_found');
  const capture = findCapture(change.group, found.id);
  if (capture && awaitsCapture(found, capture)) return reject('conflict');
  change.alert('capture_reversed', found.id);
  const intent = withoutRefund(change, found);
  if (intent.state !== 'captured') return undefined;
  const attemptId = intent.hold.attemptId;
  const takenBackMinor = intent.amountCapturedMinor - intent.amountRefundedMinor;
  if (capture) change.patch('captures', capture, { state: 'failed' });
  change.moveSlotsOf(intent, 'reverse_capture');
  const reversed = change.moveIntent(intent, 'reverse_capture', {
    failure: takenBack,
    amountCapturedMinor: intent.amountRefundedMinor,
  });
  change.post('merchant:captured', 'payer:authorised', takenBackMinor, intent.id, attemptId);
  const attempt = findAttempt(reversed, attemptId);
  if (attempt?.state === 'authorised') change.moveAttempt(reversed, attempt, 'lapse');
  closePayment(change, reversed, attemptId);
  change.announceFailure(intent.id, 'capture', takenBack);
  change.rederive();
  return undefined;
}

/**
 * Where the scheme was first nothing is left to give back: a refund on its way fails, whatever its own answer will be.
 * The gateway tells of a reversal once, so it cannot wait for that.
 */
function withoutRefund(change: Change, intent: Intent): Intent {
  const line = findOpenRefund(change.group, intent.id);
  if (!line) return intent;
  failRefund(change, intent, line, takenBack);
  return findIntent(change.group, intent.id) ?? intent;
}

/** Repair: money that was given back returned to the merchant. Comes again, too, when it is told too early. */
export function reverseRefund(change: Change, command: CommandOf<'reverseRefund'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (!intent) return reject('not_found');
  if (findOpenRefund(change.group, intent.id)) return reject('conflict');
  const line = change.group.refundLines.findLast(
    ({ intentId, state }) => intentId === intent.id && state === 'refunded',
  );
  if (intent.state !== 'refunded' || !line) return ignore('not_refunded');
  change.patch('refundLines', line, { state: 'reversed' });
  change.moveSlotsOf(intent, 'reverse_refund');
  const amountRefundedMinor = intent.amountRefundedMinor - line.amountMinor;
  change.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  change.post('payer:refunded', 'merchant:captured', line.amountMinor, intent.id, line.attemptId);
  change.alert('refund_reversed', intent.id);
  change.rederive();
  return undefined;
}

/**
 * Repair: what somebody had given back in the gateway's own dashboard bounced, in whole or in part. No refund of ours is
 * touched. Told before the refund it takes back, it has to come again.
 */
export function reverseMirroredRefund(change: Change, command: CommandOf<'reverseMirroredRefund'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (!intent) return reject('not_found');
  if (isOfAnotherTry(intent, command)) {
    change.alert('refund_reversed', intent.id);
    return undefined;
  }
  if (isOnItsWay(change, intent)) return reject('conflict');
  if (intent.state !== 'captured' && intent.state !== 'refunded') return ignore('not_refunded');
  const lines = change.group.refundLines.filter(
    ({ intentId, state }) => intentId === intent.id && state === 'refunded',
  );
  const ours = lines.filter(({ source }) => source !== 'external');
  const mirroredMinor = ours.reduce((rest, line) => rest - line.amountMinor, intent.amountRefundedMinor);
  if (mirroredMinor <= 0n) return reject('conflict');
  const amountMinor = atMost(command.amountMinor, mirroredMinor);
  const amountRefundedMinor = intent.amountRefundedMinor - amountMinor;
  if (intent.state === 'refunded') {
    // What stays refunded of it is as if it had been a partial refund, which has no line either.
    const line = lines.findLast(({ source }) => source === 'external');
    if (line) change.patch('refundLines', line, { state: 'reversed' });
    change.moveSlotsOf(intent, 'reverse_refund');
    change.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  } else change.patchIntent(intent, { amountRefundedMinor });
  change.post('payer:refunded', 'merchant:captured', amountMinor, intent.id, intent.hold.attemptId);
  change.alert('refund_reversed', intent.id);
  change.rederive();
  return undefined;
}
