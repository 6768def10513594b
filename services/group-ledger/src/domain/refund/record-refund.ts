import type { Failure } from '@gp/contracts';
import type { Change } from '../group/change.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type Verdict } from '../decision.ts';
import { atMost, findIntent, findOpenRefund, isOpen, type Group, type RefundLine } from '../group/group.ts';
import { askRefundLater, bookRefund, retryRefundLater, sendRefund } from './refund.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Intent } from '../intent/intent.ts';

/** Applies the gateway's answer to one line of a refund. */
export function recordRefund(change: Change, command: CommandOf<'recordRefund'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  const line = findLine(change.group, command);
  if (!intent || !line) return reject('not_found');
  const { result } = command;
  if (result.status === 'refunded') return confirmRefund(change, intent, line, result.amountMinor);
  if (!isOpen(line) || line.operationId !== command.operationId) return ignore('stale_answer');
  if (line.state === 'waiting') return ignore('told_twice');
  switch (result.status) {
    case 'failed':
      return failRefund(change, intent, line, result.failure);
    case 'unknown':
      if (line.state === 'unknown') return ignore('told_twice');
      change.patch('refundLines', line, { state: 'unknown' });
      change.patchIntent(intent, { unknown: true });
      askRefundLater(change, line);
      return undefined;
    case 'retryable':
      change.patch('refundLines', line, { state: 'waiting' });
      change.patchIntent(intent, { unknown: false });
      retryRefundLater(change, line);
      return undefined;
  }
}

/** The line the answer belongs to: the one with that try, else the intent's open one. */
function findLine(group: Group, command: CommandOf<'recordRefund'>): RefundLine | undefined {
  const lines = group.refundLines.filter(({ intentId }) => intentId === command.intentId);
  return lines.find(({ operationId }) => operationId === command.operationId) ?? lines.find(isOpen);
}

function confirmRefund(change: Change, intent: Intent, line: RefundLine, toldMinor: bigint): Verdict {
  if (!isOpen(line)) {
    if (line.state !== 'failed') return ignore('told_twice');
    // The gateway refused first and refunded after all: a person compares the books.
    change.alert('refunded_outside', intent.id);
    return undefined;
  }
  const amountMinor = atMost(toldMinor, line.amountMinor);
  if (toldMinor !== line.amountMinor) change.alert('refunded_amount_mismatch', intent.id);
  change.patch('refundLines', line, { state: 'refunded', amountMinor });
  change.cancelTimer(timerKey.refund(intent.id));
  bookRefund(change, change.moveIntent(intent, 'confirm_refund'), line, amountMinor);
  change.rederive();
  return undefined;
}

/** Ends a refund that gave nothing back: the money is still the merchant's. */
export function failRefund(change: Change, intent: Intent, line: RefundLine, failure: Failure): Verdict {
  change.patch('refundLines', line, { state: 'failed', failure });
  change.moveIntent(intent, 'fail_refund');
  change.cancelTimer(timerKey.refund(intent.id));
  change.rederive();
  return undefined;
}

/**
 * Sends a refund again. Only a try that definitely had no effect is followed by a new one; what is unknown, or was
 * never answered, is asked about under its own number, because two tries would be two refunds.
 */
export function refundRetryDue(change: Change, command: CommandOf<'refundRetryDue'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  const line = findOpenRefund(change.group, command.intentId);
  if (!intent || !line) return ignore('refund_already_concluded');
  const { nowMs, newId, policy } = change.context;
  if (nowMs - line.requestedAtMs >= policy.unresolvedAlertMs) change.alert('refund_unresolved', intent.id);
  const isNewTry = line.state === 'waiting';
  const next = isNewTry ? { operationId: newId(), seq: line.seq + 1 } : {};
  sendRefund(change, intent, change.patch('refundLines', line, { ...next, state: 'started' }));
  return undefined;
}
