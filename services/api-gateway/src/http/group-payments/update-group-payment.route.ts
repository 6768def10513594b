import { parseInstant, publicApi } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import type { Fault } from '../../domain/fault.ts';
import { metadataFaults } from '../../domain/metadata.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { buildRefusal } from '../request/faults.ts';
import { answerOnce } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const read = bodyReader(publicApi.UpdateGroupPaymentRequest);

/** PATCH /v1/group-payments/{id} */
export function updateGroupPayment({ once, services, views }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const body = read(request);
    const changes = readChanges(body.plain);
    return answerOnce(once, { request, caller, body: body.exact }, async (identity) => {
      const update = { ...identity, ...toScope(caller), group_id, actor: 'merchant', ...changes };
      return { status: 200, body: views.full(await services.updateGroup(update)) };
    });
  };
}

/** The ledger decides whether the expiry is allowed: a repeated request must still get its response later. */
function readChanges({ expires_at, ...names }: publicApi.UpdateGroupPaymentRequest) {
  const expiresAt = expires_at === undefined ? undefined : parseInstant(expires_at);
  const faults: Fault[] = metadataFaults('metadata', names.metadata);
  if (expires_at !== undefined && !expiresAt)
    faults.push({ param: 'expires_at', reason: 'must name an instant' });
  if (faults.length > 0) throw buildRefusal(faults);
  return { ...names, ...(expiresAt && { expires_at: expiresAt.toISOString() }) };
}
