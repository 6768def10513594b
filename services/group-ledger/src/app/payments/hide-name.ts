import type { hideName as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { findIntent } from '../../domain/index.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';

type Contract = typeof contract;

/** Shows the name of a payment's payer no longer, because he took his consent back. A repeated request changes nothing (Q99). */
export function hideName(parts: LedgerParts): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const { group_id: groupId, intent_id: intentId } = request;
    const { group } = await changeGroup(parts, {
      step: 'update',
      actor: 'payer',
      groupId,
      scope: toScope(request),
      command: () => ({ type: 'hideName', intentId }),
    });
    if (!findIntent(group, intentId)) throw notFound('payment intent');
    return {};
  };
}
