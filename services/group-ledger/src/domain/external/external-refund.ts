import { awaitsCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { atMost, findCapture, findIntent, findOpenRefund, isEnded, type Group } from '../group/group.ts';
import { postNet } from '../books/post-net.ts';
import { bookRefund, newRefundLine } from '../refund/refund.ts';
import { findAuthorization, isInFlight, type Authorization } from '../authorization/authorization.ts';
import { findHold, isAnotherAuthorization, type Intent, type IntentIn } from '../intent/intent.ts';
import { isReleasedAtEnd } from './external-capture.ts';
import { refundOutsideSlots, reverseRefundOutsideSlots } from './outside-slots.ts';

/**
 * Money went back in the gateway's own dashboard. A whole refund counts as requested; a partial one is recorded
 * and left to an operator, and the slots stay captured. A refund of what was never captured is ignored: it is a release.
 * One that arrives before the report it depends on is rejected, so that it is delivered again. The refund of a charge that
 * no slot counts is booked beside it (Q82).
 */
export function recordExternalRefund(
  draft: GroupDraft,
  command: CommandOf<'recordExternalRefund'>,
): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (draft.group.refundLines.some(({ refundId }) => refundId === command.refundId))
    return ignore('already_reported');
  const authorizationId = command.authorizationId ?? findHold(intent)?.authorizationId ?? '';
  const authorization = findAuthorization(intent, authorizationId);
  if (authorization && isChargeUnheard(draft.group, intent, authorization)) return reject('conflict');
  if (isAnotherAuthorization(intent, command)) return refundOutsideSlots(draft, intent, command);
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

/** Returns whether the refunded capture was made outside as well, and is reported in a message of its own. */
function isChargeUnheard(group: Group, intent: Intent, authorization: Authorization): boolean {
  return isReleasedAtEnd(group, intent, authorization) || (isEnded(group) && isInFlight(authorization));
}

/** Returns whether the report came before the capture it refunds, or while a refund of ours is open, whose outcome decides what is left. */
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
  const amountRefundedMinor = intent.amountRefundedMinor + amountMinor;
  const refunded = draft.patchIntent(intent, { amountRefundedMinor });
  postNet(draft, 'payer:refunded', { before: intent, after: refunded }, intent.hold.authorizationId);
}

/** Repair: money that was given back returned to the merchant. Rejected, and so delivered again, when it arrives too early. */
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
  const returned = draft.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  postNet(draft, 'payer:refunded', { before: intent, after: returned }, line.authorizationId);
  draft.alert('refund_reversed', intent.id);
  draft.rederive();
  return undefined;
}

/**
 * Repair: a refund made in the gateway's own dashboard bounced, in whole or in part. No refund of ours is
 * changed. A bounce that arrives before its refund is rejected, so that it is delivered again.
 */
export function reverseExternalRefund(
  draft: GroupDraft,
  command: CommandOf<'reverseExternalRefund'>,
): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (isAnotherAuthorization(intent, command)) return reverseRefundOutsideSlots(draft, intent, command);
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
    // The rest counts as a partial refund, which has no line either.
    const line = lines.findLast(({ source }) => source === 'external');
    if (line) draft.patch('refundLines', line, { state: 'reversed' });
    draft.moveIntentSlots(intent, 'reverse_refund');
    draft.moveIntent(intent, 'reverse_refund', { amountRefundedMinor });
  } else draft.patchIntent(intent, { amountRefundedMinor });
  postNet(
    draft,
    'payer:refunded',
    { before: intent, after: draft.intent(intent) },
    intent.hold.authorizationId,
  );
  draft.alert('refund_reversed', intent.id);
  draft.rederive();
  return undefined;
}
