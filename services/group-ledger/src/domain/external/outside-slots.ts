import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { atMost, findOpenVoid, findVoid, type Group } from '../group/group.ts';
import { closePayment } from '../authorization/hold-end.ts';
import { placeHold } from '../authorization/hold.ts';
import { findAuthorization, type Authorization } from '../authorization/authorization.ts';
import { authorizationMachine } from '../authorization/authorization.machine.ts';
import { settleVoid } from '../intent/end-intent.ts';
import type { Intent } from '../intent/intent.ts';
import { closeVoid } from '../void/void.ts';

/** An authorization with its intent. */
export type Found = { readonly intent: Intent; readonly authorization: Authorization };

/** Whether the gateway may hold money under an authorization in this state that was not reported yet. */
export function isUnreported(state: Authorization['state']): boolean {
  return authorizationMachine.next(state, 'authorise') !== undefined;
}

/**
 * Records the hold of a charge when the gateway reported the charge first. The hold takes its slots or is refused like any
 * other; a refused one is not voided, because it is charged already. Returns intent and authorization as they are then.
 */
export function placeHoldOfCharge(
  draft: GroupDraft,
  { intent, authorization }: Found,
  amountMinor: bigint,
): Found {
  if (!isUnreported(authorization.state)) return { intent, authorization };
  if (findOpenVoid(draft.group, authorization.id)?.unlessAuthorised)
    closeVoid(draft, authorization.id, 'withdrawn');
  const hold = { status: 'authorised', amountMinor, captureBeforeMs: null, pspReference: null } as const;
  placeHold(draft, intent, authorization, { ...hold, isCharged: true });
  const placed = draft.intent(intent);
  return { intent: placed, authorization: findAuthorization(placed, authorization.id) ?? authorization };
}

/**
 * Books the charge of a hold that the group does not count: on the authorization, while slots and intent stay as they
 * are. A person decides what follows. One of a hold that had ended is not booked.
 */
export function bookOutsideSlots(
  draft: GroupDraft,
  { intent, authorization }: Found,
  reportedMinor: bigint,
): CommandResult {
  const { id, state, amountMinor: heldMinor, amountCapturedMinor } = authorization;
  closeVoid(draft, id, 'refused');
  if (amountCapturedMinor > 0n) return ignore('already_captured');
  draft.alert('captured_after_release', intent.id);
  if (state !== 'authorised' || heldMinor === null) return undefined;
  const capturedMinor = atMost(reportedMinor, heldMinor);
  if (reportedMinor !== heldMinor) draft.alert('captured_amount_mismatch', intent.id);
  if (capturedMinor <= 0n) return undefined;
  draft.patchAuthorization(intent, authorization, { amountCapturedMinor: capturedMinor });
  draft.post('group:held', 'merchant:captured', capturedMinor, intent.id, id);
  // The gateway releases the part that it did not capture.
  draft.post('group:held', 'payer:authorised', heldMinor - capturedMinor, intent.id, id);
  return undefined;
}

type OnCharge = { readonly authorizationId?: string | null };

/** Whether the charge is reported in a message that is still to come. A refused void reported it to a release that booked none. */
function isChargeComing(
  group: Group,
  { id, state, amountMinor, amountCapturedMinor }: Authorization,
): boolean {
  const isHeld = state === 'authorised' && amountCapturedMinor === 0n && amountMinor !== 0n;
  return isUnreported(state) || (isHeld && findVoid(group, id)?.state !== 'refused');
}

/** Books a refund of a charge that no slot counts. Rejected, and so delivered again, when it arrives before the charge. */
export function refundOutsideSlots(
  draft: GroupDraft,
  intent: Intent,
  command: CommandOf<'recordExternalRefund'>,
): CommandResult {
  const authorization = findCharged(intent, command);
  if (authorization && isChargeComing(draft.group, authorization)) return reject('conflict');
  const leftMinor = authorization
    ? authorization.amountCapturedMinor - authorization.amountRefundedMinor
    : 0n;
  if (authorization?.state === 'authorised' && authorization.amountRefundedMinor > 0n && leftMinor === 0n)
    return ignore('already_reported');
  draft.alert('refunded_outside', intent.id);
  if (authorization?.state !== 'authorised') return undefined;
  const amountMinor = atMost(command.amountMinor, leftMinor);
  addRefunded(draft, intent, authorization, amountMinor);
  draft.post('merchant:captured', 'payer:refunded', amountMinor, intent.id, authorization.id);
  return undefined;
}

/** Takes back a refund that bounced. Rejected, and so delivered again, when it arrives before the refund. */
export function reverseRefundOutsideSlots(
  draft: GroupDraft,
  intent: Intent,
  command: CommandOf<'reverseExternalRefund'>,
): CommandResult {
  const authorization = findCharged(intent, command);
  if (authorization && isRefundComing(draft.group, authorization)) return reject('conflict');
  draft.alert('refund_reversed', intent.id);
  if (authorization?.state !== 'authorised') return undefined;
  const amountMinor = atMost(command.amountMinor, authorization.amountRefundedMinor);
  addRefunded(draft, intent, authorization, -amountMinor);
  draft.post('payer:refunded', 'merchant:captured', amountMinor, intent.id, authorization.id);
  return undefined;
}

function isRefundComing(group: Group, authorization: Authorization): boolean {
  const { state, amountCapturedMinor, amountRefundedMinor } = authorization;
  const isUnrefunded = state === 'authorised' && amountCapturedMinor > 0n && amountRefundedMinor === 0n;
  return isUnrefunded || isChargeComing(group, authorization);
}

/** The scheme took back a charge that no slot counts: what was not refunded of it returns to the payer. */
export function reverseOutsideSlots(
  draft: GroupDraft,
  intent: Intent,
  command: CommandOf<'reverseCapture'>,
): CommandResult {
  const authorization = findCharged(intent, command);
  if (authorization && isChargeComing(draft.group, authorization)) return reject('conflict');
  draft.alert('capture_reversed', intent.id);
  if (authorization?.state !== 'authorised' || authorization.amountCapturedMinor === 0n) return undefined;
  const { id, amountCapturedMinor, amountRefundedMinor } = authorization;
  const reversed = draft.moveAuthorization(intent, authorization, 'reverse', {
    amountCapturedMinor: amountRefundedMinor,
  });
  const takenBackMinor = amountCapturedMinor - amountRefundedMinor;
  draft.post('merchant:captured', 'payer:authorised', takenBackMinor, intent.id, id);
  closePayment(draft, reversed, id);
  settleVoid(draft, intent.id);
  return undefined;
}

function findCharged(intent: Intent, { authorizationId }: OnCharge): Authorization | undefined {
  return findAuthorization(intent, authorizationId ?? '');
}

function addRefunded(draft: GroupDraft, intent: Intent, authorization: Authorization, byMinor: bigint): void {
  const amountRefundedMinor = authorization.amountRefundedMinor + byMinor;
  draft.patchAuthorization(intent, authorization, { amountRefundedMinor });
}
