import {
  askGateway,
  authorisationQueryDue,
  beginAuthorisation,
  noteAuthorising,
  recordAuthorisation,
} from './authorization/authorise.ts';
import { startCaptures } from './capture/capture.ts';
import { Change } from './group/change.ts';
import type { Command } from './command.ts';
import { ignore, type Context, type Decision, type Verdict } from './decision.ts';
import { cancel, expire, expiryDue, isExpiryDue } from './group/expiry.ts';
import type { Group } from './group/group.ts';
import {
  mirrorCapture,
  mirrorDispute,
  mirrorRefund,
  reverseCapture,
  reverseMirroredRefund,
  reverseRefund,
} from './external/mirror.ts';
import { openRefund } from './refund/open-refund.ts';
import { captureRetryDue, giveUpCapture, recordCapture, retryCapture } from './capture/record-capture.ts';
import { recordRefund, refundRetryDue } from './refund/record-refund.ts';
import { recordVoid, voidRetryDue } from './void/record-void.ts';
import { reservationLapsed, holdLapsing } from './slot/reservation.ts';
import { release, reserve } from './slot/reserve.ts';

/**
 * Decides what a command does to a group: the whole next state with everything that goes with it, or that there is
 * nothing to do, or why it is refused. Pure; the caller writes an accepted decision whole, and only if nobody wrote to
 * the group since it was read.
 */
export function decide(group: Group, command: Command, context: Context): Decision {
  const change = new Change(group, context);
  if (isExpiryDue(group, context.nowMs)) expire(change);
  return conclude(change, handle(change, command));
}

function handle(change: Change, command: Command): Verdict {
  switch (command.type) {
    case 'reserve':
      return reserve(change, command);
    case 'release':
      return release(change, command);
    case 'beginAuthorisation':
      return beginAuthorisation(change, command);
    case 'noteAuthorising':
      return noteAuthorising(change, command);
    case 'recordAuthorisation':
      return recordAuthorisation(change, command);
    case 'recordCapture':
      return recordCapture(change, command);
    case 'recordVoid':
      return recordVoid(change, command);
    case 'recordRefund':
      return recordRefund(change, command);
    case 'mirrorCapture':
      return mirrorCapture(change, command);
    case 'mirrorRefund':
      return mirrorRefund(change, command);
    case 'mirrorDispute':
      return mirrorDispute(change, command);
    case 'reverseCapture':
      return reverseCapture(change, command);
    case 'reverseRefund':
      return reverseRefund(change, command);
    case 'reverseMirroredRefund':
      return reverseMirroredRefund(change, command);
    case 'openRefund':
      return openRefund(change, command);
    case 'cancel':
      return cancel(change);
    case 'retryCapture':
      return retryCapture(change);
    case 'giveUpCapture':
      return giveUpCapture(change);
    case 'askGateway':
      return askGateway(change, command);
    case 'recheckCredentials':
      return recheckCredentials(change);
    case 'expire':
      return expiryDue(change);
    case 'reservationLapsed':
      return reservationLapsed(change, command);
    case 'holdLapsing':
      return holdLapsing(change, command);
    case 'captureRetryDue':
      return captureRetryDue(change, command);
    case 'voidRetryDue':
      return voidRetryDue(change, command);
    case 'refundRetryDue':
      return refundRetryDue(change, command);
    case 'authorisationQueryDue':
      return authorisationQueryDue(change, command);
  }
}

/** A merchant reconnected a gateway: a group that only waited for it is captured now. */
function recheckCredentials(change: Change): Verdict {
  startCaptures(change);
  return change.isTouched ? undefined : ignore('nothing_waits');
}

function conclude(change: Change, verdict: Verdict): Decision {
  const isWritten = change.isTouched;
  if (verdict?.kind === 'ignored' && !isWritten) return verdict;
  if (verdict?.kind === 'rejected' && !isWritten) return verdict;
  const { events, effects, postings, transitions } = change;
  const decision: Decision = {
    kind: 'accepted',
    next: change.finish(),
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
