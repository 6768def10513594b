import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { findIntent } from '../group/group.ts';
import { isAnotherAuthorization } from '../intent/intent.ts';

/**
 * The payer disputes the payment, or the dispute ended without a loss: refunds are refused in between. That of a second
 * charge forbids no refund of the one that counts, and is an operator's task only.
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
  draft.announce(command.disputed ? 'payment_intent.disputed' : 'payment_intent.dispute_closed', intent.id);
  return undefined;
}
