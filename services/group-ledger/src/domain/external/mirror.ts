import type { Failure } from '@gp/contracts';
import { awaitsCapture, bookCapture, confirmCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import {
  atMost,
  findCapture,
  findIntent,
  findOpenRefund,
  isCollecting,
  locateAuthorization,
} from '../group/group.ts';
import { closePayment } from '../authorization/hold-end.ts';
import { failRefund } from '../refund/record-refund.ts';
import { bookRefund, newRefundLine } from '../refund/refund.ts';
import { findAuthorization } from '../authorization/authorization.ts';
import { isWinner, type Intent, type IntentIn } from '../intent/intent.ts';

/**
 * The merchant captured a hold in the gateway's own dashboard. While the group is collecting this neither starts
 * capturing nor closes the door to expiry: a person decides what follows.
 */
export function recordExternalCapture(
  draft: GroupDraft,
  command: CommandOf<'recordExternalCapture'>,
): CommandResult {
  const found = locateAuthorization(draft.group, command);
  if (!found) return reject('not_found');
  const { intent, authorization } = found;
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

/** Of another try than the one that was captured it is a second charge, which nothing here can take back. */
function alertUnexpectedCapture(draft: GroupDraft, intent: Intent): CommandResult {
  draft.alert('captured_after_release', intent.id);
  return undefined;
}

/**
 * Money went back in the gateway's own dashboard. A whole refund counts as requested; a partial one is recorded
 * and left to a person, the slots stay captured. A refund of what was never captured is a release, not ours; what
 * overtook the news it builds on has to come again. A second charge given back is told to a person and booked nowhere:
 * nor was the charge.
 */
export function recordExternalRefund(
  draft: GroupDraft,
  command: CommandOf<'recordExternalRefund'>,
): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (draft.group.refundLines.some(({ refundId }) => refundId === command.refundId))
    return ignore('already_reported');
  if (isAnotherAuthorization(intent, command)) {
    draft.alert('refunded_outside', intent.id);
    return undefined;
  }
  if (isOnItsWay(draft, intent)) return reject('conflict');
  if (intent.state !== 'captured') return ignore('not_captured');
  const leftMinor = intent.amountCapturedMinor - intent.amountRefundedMinor;
  const amountMinor = atMost(command.amountMinor, leftMinor);
  draft.alert('refunded_outside', intent.id);
  const isWhole = amountMinor === leftMinor;
  if (isWhole) recordWholeRefund(draft, intent, command.refundId, amountMinor);
  else recordPartialRefund(draft, intent, amountMinor);
  return undefined;
}

/** Of a charge beside the one that counts: nothing here knows its money. */
function isAnotherAuthorization(
  intent: Intent,
  { authorizationId }: { readonly authorizationId?: string | null },
): boolean {
  return authorizationId !== undefined && authorizationId !== null && !isWinner(intent, authorizationId);
}

/** Told before the capture it gives back, or while a refund of ours is open: only what comes of that says what is left. */
function isOnItsWay({ group }: GroupDraft, intent: Intent): boolean {
  const capture = findCapture(group, intent.id);
  return (
    findOpenRefund(group, intent.id) !== undefined ||
    (capture !== undefined && awaitsCapture(intent, capture))
  );
}

function recordWholeRefund(
  draft: GroupDraft,
  intent: IntentIn<'captured'>,
  refundId: string,
  amountMinor: bigint,
): void {
  // Before the group was captured nothing of it could be refunded: the group's own count starts afterwards.
  const refundNumber = draft.group.captures.length === 0 ? 0 : draft.group.refundNumber + 1;
  if (refundNumber > 0) draft.patchGroup({ refundNumber });
  const line = newRefundLine(draft, intent, { refundId, refundNumber, source: 'external' }, amountMinor);
  draft.add('refundLines', line);
  draft.rederive();
  draft.patch('refundLines', line, { state: 'refunded' });
  bookRefund(draft, draft.moveIntent(intent, 'mirror_refund'), line, amountMinor);
  draft.rederive();
}

function recordPartialRefund(draft: GroupDraft, intent: IntentIn<'captured'>, amountMinor: bigint): void {
  draft.patchIntent(intent, { amountRefundedMinor: intent.amountRefundedMinor + amountMinor });
  draft.post('merchant:captured', 'payer:refunded', amountMinor, intent.id, intent.hold.authorizationId);
}

/**
 * The payer disputes the payment, or the dispute ended: refunds are refused in between. That of a second charge forbids
 * no refund of the one that counts.
 */
export function recordDispute(draft: GroupDraft, command: CommandOf<'recordDispute'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (isAnotherAuthorization(intent, command)) {
    if (!command.disputed) return ignore('of_another_try');
    draft.alert('disputed', intent.id);
    return undefined;
  }
  if (intent.disputed === command.disputed) return ignore('already_reported');
  draft.patchIntent(intent, { disputed: command.disputed });
  if (command.disputed) draft.alert('disputed', intent.id);
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
  if (authorization?.state === 'authorised') draft.moveAuthorization(reversed, authorization, 'lapse');
  closePayment(draft, reversed, authorizationId);
  draft.announceFailure(intent.id, 'capture', takenBack);
  draft.rederive();
  return undefined;
}

/**
 * Where the scheme was first nothing is left to give back: a refund on its way fails, whatever its own answer will be.
 * The gateway tells of a reversal once, so it cannot wait for that.
 */
function withoutRefund(draft: GroupDraft, intent: Intent): Intent {
  const line = findOpenRefund(draft.group, intent.id);
  if (!line) return intent;
  failRefund(draft, intent, line, takenBack);
  return findIntent(draft.group, intent.id) ?? intent;
}

/** Repair: money that was given back returned to the merchant. Comes again, too, when it is told too early. */
export function reverseRefund(draft: GroupDraft, command: CommandOf<'reverseRefund'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (findOpenRefund(draft.group, intent.id)) return reject('conflict');
  const line = draft.group.refundLines.findLast(
    ({ intentId, state }) => intentId === intent.id && state === 'refunded',
  );
  if (intent.state !== 'refunded' || !line) return ignore('not_refunded');
  draft.patch('refundLines', line, { state: 'reversed' });
  draft.moveIntentSlots(intent, 'reverse_refund');
  const amountRefundedMinor = intent.amountRefundedMinor - line.amountMinor;
  draft.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  draft.post('payer:refunded', 'merchant:captured', line.amountMinor, intent.id, line.authorizationId);
  draft.alert('refund_reversed', intent.id);
  draft.rederive();
  return undefined;
}

/**
 * Repair: what somebody had given back in the gateway's own dashboard bounced, in whole or in part. No refund of ours is
 * touched. Told before the refund it takes back, it has to come again.
 */
export function reverseExternalRefund(
  draft: GroupDraft,
  command: CommandOf<'reverseExternalRefund'>,
): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (isAnotherAuthorization(intent, command)) {
    draft.alert('refund_reversed', intent.id);
    return undefined;
  }
  if (isOnItsWay(draft, intent)) return reject('conflict');
  if (intent.state !== 'captured' && intent.state !== 'refunded') return ignore('not_refunded');
  const lines = draft.group.refundLines.filter(
    ({ intentId, state }) => intentId === intent.id && state === 'refunded',
  );
  const ours = lines.filter(({ source }) => source !== 'external');
  const externalMinor = ours.reduce((rest, line) => rest - line.amountMinor, intent.amountRefundedMinor);
  if (externalMinor <= 0n) return reject('conflict');
  const amountMinor = atMost(command.amountMinor, externalMinor);
  const amountRefundedMinor = intent.amountRefundedMinor - amountMinor;
  if (intent.state === 'refunded') {
    // What stays refunded of it is as if it had been a partial refund, which has no line either.
    const line = lines.findLast(({ source }) => source === 'external');
    if (line) draft.patch('refundLines', line, { state: 'reversed' });
    draft.moveIntentSlots(intent, 'reverse_refund');
    draft.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  } else draft.patchIntent(intent, { amountRefundedMinor });
  draft.post('payer:refunded', 'merchant:captured', amountMinor, intent.id, intent.hold.authorizationId);
  draft.alert('refund_reversed', intent.id);
  draft.rederive();
  return undefined;
}
