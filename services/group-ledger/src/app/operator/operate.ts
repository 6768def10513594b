import type * as contracts from '@gp/contracts';
import type { Operator, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import { findGroupHolding } from '../../db/lookups/inspect-group.ts';
import { findIntent, type Command } from '../../domain/index.ts';
import type { LedgerStep } from '../../fail-points.ts';
import { changeGroup, type LedgerParts } from '../change/change-group.ts';

type OnGroup = RequestOf<typeof contracts.retryCaptures>;
type GroupAfter = ResponseOf<typeof contracts.retryCaptures>;
type Act = (r: OnGroup, operator: Operator) => Promise<GroupAfter>;
type Ask = typeof contracts.askGateway;

/** Cancels a group that is still collecting: its holds are released and no payer is charged (Q2). */
export function cancelGroupAsOperator(parts: LedgerParts): Act {
  return operate(parts, { action: 'group.cancel', step: 'cancel', command: { type: 'cancel' } });
}

/** Captures again what failed for good while its hold is alive (D5, Q3). */
export function retryCaptures(parts: LedgerParts): Act {
  return operate(parts, { action: 'captures.retry', step: 'operate', command: { type: 'retryCapture' } });
}

/** Releases the holds that failed captures kept (D5). */
export function giveUpCaptures(parts: LedgerParts): Act {
  return operate(parts, { action: 'captures.give-up', step: 'operate', command: { type: 'giveUpCapture' } });
}

/** Orders a query of every authorization of a payment now, also of ended ones. */
export function askGateway(
  parts: LedgerParts,
): (r: RequestOf<Ask>, operator: Operator) => Promise<ResponseOf<Ask>> {
  return async ({ intent_id: intentId }, operator) => {
    const groupId = await findGroupHolding(parts.db, intentId);
    if (groupId === undefined) throw notFound('payment intent');
    await recordAction(parts.db, { actor: operator, action: 'payments.ask', subject: intentId });
    const { group } = await changeGroup(parts, {
      step: 'operate',
      actor: formatActor(operator),
      groupId,
      scope: null,
      command: () => ({ type: 'askGateway', intentId }),
    });
    return { group_id: groupId, attempts: findIntent(group, intentId)?.authorizations.length ?? 0 };
  };
}

/** The action is recorded before it is carried out, so that a refused or interrupted one is visible, too. */
function operate(parts: LedgerParts, o: { action: string; step: LedgerStep; command: Command }): Act {
  return async ({ group_id: groupId }, operator) => {
    await recordAction(parts.db, { actor: operator, action: o.action, subject: groupId });
    const { group } = await changeGroup(parts, {
      step: o.step,
      actor: formatActor(operator),
      groupId,
      scope: null,
      command: () => o.command,
    });
    return { group_id: group.id, group_state: group.state };
  };
}

/** Returns the name of a person in the log of transitions. */
const formatActor = ({ name }: Operator): string => `operator:${name}`;
