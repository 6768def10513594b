import type { Failure } from '@gp/contracts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { atMost, findIntent, findOpenRefund, isOpen, type Group, type RefundLine } from '../group/group.ts';
import { askRefundLater, bookRefund, retryRefundLater, sendRefund } from './refund.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Intent } from '../intent/intent.ts';

/** Applies the gateway's answer to one line of a refund. */
export function recordRefund(draft: GroupDraft, command: CommandOf<'recordRefund'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  const line = findLine(draft.group, command);
  if (!intent || !line) return reject('not_found');
  const { result } = command;
  if (result.status === 'refunded') return confirmRefund(draft, intent, line, result.amountMinor);
  if (!isOpen(line) || line.operationId !== command.operationId) return ignore('stale_answer');
  if (line.state === 'waiting') return ignore('already_reported');
  switch (result.status) {
    case 'failed':
      return failRefund(draft, intent, line, result.failure);
    case 'unknown':
      if (line.state === 'unknown') return ignore('already_reported');
      draft.patch('refundLines', line, { state: 'unknown' });
      draft.patchIntent(intent, { unknown: true });
      askRefundLater(draft, line);
      return undefined;
    case 'retryable':
      draft.patch('refundLines', line, { state: 'waiting' });
      draft.patchIntent(intent, { unknown: false });
      retryRefundLater(draft, line);
      return undefined;
  }
}

/**
 * The line the answer belongs to: the one with that try, else the intent's open one, else its newest one, of which the answer
 * to an earlier try may come after its end.
 */
function findLine(group: Group, command: CommandOf<'recordRefund'>): RefundLine | undefined {
  const lines = group.refundLines.filter(({ intentId }) => intentId === command.intentId);
  const ofTry = lines.find(({ operationId }) => operationId === command.operationId);
  return ofTry ?? lines.find(isOpen) ?? lines.at(-1);
}

function confirmRefund(
  draft: GroupDraft,
  intent: Intent,
  line: RefundLine,
  reportedMinor: bigint,
): CommandResult {
  if (!isOpen(line)) {
    if (line.state !== 'failed') return ignore('already_reported');
    // The gateway refused first and refunded after all: an operator compares the books.
    draft.alert('refunded_outside', intent.id);
    return undefined;
  }
  const amountMinor = atMost(reportedMinor, line.amountMinor);
  if (reportedMinor !== line.amountMinor) draft.alert('refunded_amount_mismatch', intent.id);
  draft.patch('refundLines', line, { state: 'refunded', amountMinor });
  draft.cancelTimer(timerKey.refund(intent.id));
  bookRefund(draft, draft.moveIntent(intent, 'confirm_refund'), line, amountMinor);
  draft.rederive();
  return undefined;
}

/** Ends a refund that gave nothing back: the money is still the merchant's. */
export function failRefund(
  draft: GroupDraft,
  intent: Intent,
  line: RefundLine,
  failure: Failure,
): CommandResult {
  draft.patch('refundLines', line, { state: 'failed', failure });
  draft.moveIntent(intent, 'fail_refund', { reason: failure });
  draft.cancelTimer(timerKey.refund(intent.id));
  draft.rederive();
  return undefined;
}

/**
 * Sends a refund again. Only a try that definitely had no effect is followed by a new one; an unknown try, or one
 * without an outcome, is queried under its own number, because two tries would be two refunds.
 */
export function refundRetryDue(draft: GroupDraft, command: CommandOf<'refundRetryDue'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  const line = findOpenRefund(draft.group, command.intentId);
  if (!intent || !line) return ignore('refund_already_concluded');
  const { nowMs, newId, policy } = draft.context;
  if (nowMs - line.requestedAtMs >= policy.unresolvedAlertMs) draft.alert('refund_unresolved', intent.id);
  const isNewTry = line.state === 'waiting';
  const next = isNewTry ? { operationId: newId(), seq: line.seq + 1 } : {};
  sendRefund(draft, intent, draft.patch('refundLines', line, { ...next, state: 'started' }));
  return undefined;
}
