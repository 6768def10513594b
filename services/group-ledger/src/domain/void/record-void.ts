import { awaitsCapture, confirmCapture } from '../capture/capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf, VoidResult } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { isReleasedAtEnd, recordCharge } from '../external/external-capture.ts';
import { endHold } from '../authorization/hold-end.ts';
import { placeHold } from '../authorization/hold.ts';
import {
  findCapture,
  findOpenVoid,
  findVoid,
  isOpen,
  locateAuthorization,
  type Void,
} from '../group/group.ts';
import { computeDelayMs } from '../policy.ts';
import { closeVoid, releaseDeadlineMs, retryVoidIn, sendVoid } from './void.ts';
import type { Authorization } from '../authorization/authorization.ts';
import { isChargeBooked, isWinner, type Intent } from '../intent/intent.ts';

/** Applies the gateway's answer to a release. */
export function recordVoid(draft: GroupDraft, command: CommandOf<'recordVoid'>): CommandResult {
  const found = locateAuthorization(draft.group, command);
  const order = findVoid(draft.group, command.authorizationId);
  if (!found || !order) return reject('not_found');
  const { intent, authorization } = found;
  const { result } = command;
  switch (result.status) {
    case 'voided':
      return endHold(draft, intent, authorization, 'void');
    case 'absent':
      return endHold(draft, intent, authorization, 'miss');
    case 'captured':
      // An earlier try may report a charge that the scheme has taken back since; the open one reports the present state.
      if (isOpen(order) && order.operationId !== command.operationId) return ignore('stale_answer');
      return refuseVoid(draft, found, order, result.amountMinor);
    case 'already_authorised':
      return acceptExistingHold(draft, intent, authorization, order, result);
    case 'retryable':
    case 'unknown':
      if (order.operationId !== command.operationId || !isOpen(order)) return ignore('stale_answer');
      if (order.state === 'waiting' || order.state === result.status) return ignore('already_reported');
      return postpone(draft, intent, order, result.status);
  }
}

function postpone(
  draft: GroupDraft,
  intent: Intent,
  order: Void,
  status: 'retryable' | 'unknown',
): CommandResult {
  const isUnknown = status === 'unknown';
  draft.patch('voids', order, { state: isUnknown ? 'unknown' : 'waiting' });
  if (intent.state === 'void_pending') draft.patchIntent(intent, { unknown: isUnknown });
  retryVoidIn(draft, order, computeDelayMs(draft.context.policy.voidSchedule, order.seq - 1));
  return undefined;
}

// The order was to end the payment unless it was authorised, and the gateway found a hold: that is a success.
function acceptExistingHold(
  draft: GroupDraft,
  intent: Intent,
  authorization: Authorization,
  order: Void,
  hold: Extract<VoidResult, { status: 'already_authorised' }>,
): CommandResult {
  if (order.unlessAuthorised) closeVoid(draft, authorization.id, 'withdrawn');
  return placeHold(draft, intent, authorization, { ...hold, status: 'authorised' });
}

// The hold to be released was captured. Where our capture had been given up, this is its late success.
function refuseVoid(
  draft: GroupDraft,
  found: { readonly intent: Intent; readonly authorization: Authorization },
  order: Void,
  capturedMinor = found.authorization.amountMinor ?? found.intent.amountMinor,
): CommandResult {
  const { intent, authorization } = found;
  if (isChargeBooked(intent, authorization) && !isOpen(order)) return ignore('already_captured');
  const capture = findCapture(draft.group, intent.id);
  if (isOpen(order) && capture?.authorizationId === authorization.id && awaitsCapture(intent, capture)) {
    return confirmCapture(draft, intent, capture, capturedMinor);
  }
  if (!isWinner(intent, authorization.id) || isReleasedAtEnd(draft.group, intent, authorization))
    return recordCharge(draft, found, capturedMinor);
  closeVoid(draft, authorization.id, 'refused');
  draft.alert('captured_after_release', intent.id);
  return undefined;
}

/** Sends a void again: as a new try after an outcome, as the same try without one. */
export function voidRetryDue(draft: GroupDraft, command: CommandOf<'voidRetryDue'>): CommandResult {
  const found = locateAuthorization(draft.group, command);
  const order = findOpenVoid(draft.group, command.authorizationId);
  if (!found || !order) return ignore('void_already_concluded');
  const { intent, authorization } = found;
  const { nowMs, newId, policy } = draft.context;
  if (nowMs >= releaseDeadlineMs(draft, authorization, order))
    return endHold(draft, intent, authorization, 'lapse');
  if (nowMs - order.requestedAtMs >= policy.voidAlertMs) draft.alert('void_unconfirmed', intent.id);
  const isSilent = order.state === 'started';
  const again = isSilent
    ? order
    : draft.patch('voids', order, { state: 'started', operationId: newId(), seq: order.seq + 1 });
  sendVoid(draft, intent, again);
  return undefined;
}
