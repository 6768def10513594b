import {
  askGateway,
  authorisationQueryDue,
  beginAuthorisation,
  noteAuthorising,
  recordAuthorisation,
} from './authorization/authorise.ts';
import { startCaptures } from './capture/capture.ts';
import { GroupDraft } from './group/group-draft.ts';
import type { Command } from './command.ts';
import { ignore, type Context, type GroupDecision, type CommandResult } from './decision.ts';
import { cancel, expire, expiryDue, isExpiryDue } from './group/expiry.ts';
import type { Group } from './group/group.ts';
import { organiserCancel, organiserExtend } from './group/organiser.ts';
import { update } from './group/update.ts';
import { hideName } from './intent/shown-name.ts';
import { recordDispute } from './external/dispute.ts';
import { recordExternalCapture, reverseCapture } from './external/external-capture.ts';
import { recordExternalRefund, reverseExternalRefund, reverseRefund } from './external/external-refund.ts';
import { openRefund } from './refund/open-refund.ts';
import { captureRetryDue, giveUpCapture, recordCapture, retryCapture } from './capture/record-capture.ts';
import { recordRefund, refundRetryDue } from './refund/record-refund.ts';
import { recordVoid, voidRetryDue } from './void/record-void.ts';
import { reservationExpiryDue, holdExpiryDue } from './slot/reservation.ts';
import { release, reserve } from './slot/reserve.ts';

/**
 * Decides what a command does to a group: the whole next state with its events, orders and timers, or that there is
 * nothing to do, or why it is refused. Pure; the caller writes an accepted decision whole, and only if the group was not
 * written since it was read.
 */
export function decide(group: Group, command: Command, context: Context): GroupDecision {
  const draft = new GroupDraft(group, context);
  if (isExpiryDue(group, context.nowMs)) expire(draft);
  return conclude(draft, handle(draft, command));
}

function handle(draft: GroupDraft, command: Command): CommandResult {
  switch (command.type) {
    case 'reserve':
      return reserve(draft, command);
    case 'hideName':
      return hideName(draft, command);
    case 'release':
      return release(draft, command);
    case 'beginAuthorisation':
      return beginAuthorisation(draft, command);
    case 'noteAuthorising':
      return noteAuthorising(draft, command);
    case 'recordAuthorisation':
      return recordAuthorisation(draft, command);
    case 'recordCapture':
      return recordCapture(draft, command);
    case 'recordVoid':
      return recordVoid(draft, command);
    case 'recordRefund':
      return recordRefund(draft, command);
    case 'recordExternalCapture':
      return recordExternalCapture(draft, command);
    case 'recordExternalRefund':
      return recordExternalRefund(draft, command);
    case 'recordDispute':
      return recordDispute(draft, command);
    case 'reverseCapture':
      return reverseCapture(draft, command);
    case 'reverseRefund':
      return reverseRefund(draft, command);
    case 'reverseExternalRefund':
      return reverseExternalRefund(draft, command);
    case 'openRefund':
      return openRefund(draft, command);
    case 'cancel':
      return cancel(draft);
    case 'update':
      return update(draft, command);
    case 'organiserExtend':
      return organiserExtend(draft, command);
    case 'organiserCancel':
      return organiserCancel(draft);
    case 'retryCapture':
      return retryCapture(draft);
    case 'giveUpCapture':
      return giveUpCapture(draft);
    case 'askGateway':
      return askGateway(draft, command);
    case 'recheckCredentials':
      return recheckCredentials(draft);
    case 'expire':
      return expiryDue(draft);
    case 'reservationExpiryDue':
      return reservationExpiryDue(draft, command);
    case 'holdExpiryDue':
      return holdExpiryDue(draft, command);
    case 'captureRetryDue':
      return captureRetryDue(draft, command);
    case 'voidRetryDue':
      return voidRetryDue(draft, command);
    case 'refundRetryDue':
      return refundRetryDue(draft, command);
    case 'authorisationQueryDue':
      return authorisationQueryDue(draft, command);
  }
}

/** A merchant reconnected a gateway: a group that only waited for it is captured now. */
function recheckCredentials(draft: GroupDraft): CommandResult {
  startCaptures(draft);
  return draft.isTouched ? undefined : ignore('nothing_waits');
}

function conclude(draft: GroupDraft, verdict: CommandResult): GroupDecision {
  const isWritten = draft.isTouched;
  if (verdict?.kind === 'ignored' && !isWritten) return verdict;
  if (verdict?.kind === 'rejected' && !isWritten) return verdict;
  const { events, effects, postings, transitions } = draft;
  const decision: GroupDecision = {
    kind: 'accepted',
    next: draft.finish(),
    events,
    effects,
    postings,
    transitions,
  };
  if (verdict?.kind === 'rejected') {
    const { kind: _kind, ...refusal } = verdict;
    return { ...decision, refusal };
  }
  return verdict?.reply ? { ...decision, reply: verdict.reply } : decision;
}
