import type { releaseIntent as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { findIntent } from '../../domain/index.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { intentView } from '../groups/views.ts';

type Contract = typeof contract;

/** Releases the slots of a payment that the gateway could not prepare. A repeated request changes nothing. */
export function releaseIntent(parts: LedgerParts): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const { group } = await changeGroup(parts, {
      step: 'release',
      actor: 'checkout',
      groupId: request.group_id,
      scope: toScope(request),
      command: () => ({ type: 'release', intentId: request.intent_id, failure: request.failure }),
    });
    const intent = findIntent(group, request.intent_id);
    if (!intent) throw notFound('payment intent');
    return intentView(group, intent);
  };
}
