import type { Outcome, recordOutcome as contract, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import { findIntent } from '../../domain/index.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { parseOutcome } from './parse-outcome.ts';
import { intentView } from '../groups/views.ts';

/** The inbox name under which an outcome is processed once, whichever of its two ways it came. */
const CONSUMER = 'ledger-outcomes';
countDuplicates(CONSUMER, 0);

/**
 * Applies an outcome that an adapter reports. A repeated or outdated one changes nothing. Throws not_found when the group
 * or intent does not exist for this merchant and mode.
 */
export function recordOutcome(
  parts: LedgerParts,
): (outcome: Outcome) => Promise<ResponseOf<typeof contract>> {
  return async (outcome) => {
    const changed = await changeGroup(parts, {
      step: 'outcome',
      actor: `${outcome.psp_code}:${outcome.source}`,
      reported: { intentId: outcome.intent_id, pspReference: outcome.psp_reference },
      groupId: outcome.group_id,
      scope: toScope(outcome),
      message: { consumer: CONSUMER, id: outcome.message_id },
      command: ({ group }) => parseOutcome(group, outcome),
    });
    const intent = findIntent(changed.group, outcome.intent_id);
    if (!intent) throw notFound('payment intent');
    return {
      verdict: changed.kind === 'written' ? 'applied' : 'ignored',
      reason: changed.reason ?? null,
      intent: intentView(changed.group, intent),
      group_state: changed.group.state,
      is_group_expired: changed.group.expiredAtMs !== null,
    };
  };
}
