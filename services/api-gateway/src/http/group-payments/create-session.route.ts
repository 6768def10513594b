import { publicApi } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const read = bodyReader(publicApi.CreateSessionRequest, { isOptional: true });

/** POST /v1/group-payments/{id}/session. Minting twice creates two tokens; no Idempotency-Key is needed. */
export function createSession({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const { slot_ids, ...wanted } = read(request).plain;
    const minted = await services.mintSession({
      ...toScope(caller),
      group_id,
      ...wanted,
      ...(slot_ids && { slot_ids: slot_ids.map((id) => id.toLowerCase()) }),
    });
    const { token, expires_in } = minted;
    return { status: 201, body: { token, group_payment_id: minted.group_id, expires_in } };
  };
}
