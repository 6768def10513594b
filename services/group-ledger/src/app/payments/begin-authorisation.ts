import type { beginAuthorisation as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { findGroupOfIntent } from '../../db/lookups/find-groups.ts';
import { findIntent } from '../../domain/index.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { findSandboxFault } from '../change/sandbox-fault.ts';
import { intentView } from '../groups/views.ts';

type Contract = typeof contract;

/**
 * Opens a try to authorise. The path's group is routing only; `within_group_id` is the boundary of a session token,
 * past which an intent does not exist (A10).
 */
export function beginAuthorisation(
  parts: LedgerParts,
): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const scope = toScope(request);
    const groupId = await findGroupOfIntent(parts.db, scope, request.intent_id);
    const isBeyond = request.within_group_id !== undefined && request.within_group_id !== groupId;
    if (groupId === undefined || isBeyond) throw notFound('payment intent');
    const { loaded, group, reply } = await changeGroup(parts, {
      step: 'begin-authorisation',
      actor: 'payer',
      groupId,
      scope,
      command: () => ({ type: 'beginAuthorisation', intentId: request.intent_id }),
    });
    const intent = findIntent(group, request.intent_id);
    if (reply?.kind !== 'authorisation' || !intent)
      throw new AppError(
        'internal_error',
        {},
        { cause: new Error('a begun authorisation without its answer') },
      );
    const begun = intent.authorizations.find(({ id }) => id === reply.authorizationId);
    const traceparent = loaded.intentRows.find((row) => row.id === intent.id)?.traceparent;
    return {
      status: reply.status,
      intent: intentView(group, intent),
      attempt:
        reply.authorizationId === null
          ? null
          : { id: reply.authorizationId, seq: reply.seq, psp_reference: begun?.pspReference ?? null },
      merchant_order_id: loaded.row.merchant_order_id,
      sandbox_fault: findSandboxFault(loaded, group, intent.id),
      ...(traceparent && { traceparent }),
    };
  };
}
