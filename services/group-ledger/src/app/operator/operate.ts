import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import { findGroupHolding } from '../../db/lookups/inspect-group.ts';
import { findIntent, type Command } from '../../domain/index.ts';
import { changeGroup, type LedgerParts } from '../change/change-group.ts';

type OnGroup = RequestOf<typeof contracts.retryCaptures>;
type GroupAfter = ResponseOf<typeof contracts.retryCaptures>;
type Ask = typeof contracts.askGateway;

/** Captures again what failed for good while its hold is alive (D5, Q3). */
export function retryCaptures(parts: LedgerParts): (r: OnGroup) => Promise<GroupAfter> {
  return (request) => operate(parts, request, 'captures.retry', { type: 'retryCapture' });
}

/** Releases the holds that failed captures kept (D5). */
export function giveUpCaptures(parts: LedgerParts): (r: OnGroup) => Promise<GroupAfter> {
  return (request) => operate(parts, request, 'captures.give-up', { type: 'giveUpCapture' });
}

/** Orders a query of every authorization of a payment now, also of ended ones. */
export function askGateway(parts: LedgerParts): (r: RequestOf<Ask>) => Promise<ResponseOf<Ask>> {
  return async ({ intent_id: intentId, actor }) => {
    const groupId = await findGroupHolding(parts.db, intentId);
    if (groupId === undefined) throw notFound('payment intent');
    await recordAction(parts.db, { actor, action: 'payments.ask', subject: intentId });
    const { group } = await changeGroup(parts, {
      step: 'operate',
      actor: `operator:${actor}`,
      groupId,
      scope: null,
      command: () => ({ type: 'askGateway', intentId }),
    });
    return { group_id: groupId, attempts: findIntent(group, intentId)?.authorizations.length ?? 0 };
  };
}

/** The action is recorded before it is carried out, so that a refused or interrupted one is visible, too. */
async function operate(
  parts: LedgerParts,
  { group_id: groupId, actor }: OnGroup,
  action: string,
  command: Command,
): Promise<GroupAfter> {
  await recordAction(parts.db, { actor, action, subject: groupId });
  const { group } = await changeGroup(parts, {
    step: 'operate',
    actor: `operator:${actor}`,
    groupId,
    scope: null,
    command: () => command,
  });
  return { group_id: group.id, group_state: group.state };
}
