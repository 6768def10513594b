import { publicApi } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const read = bodyReader(publicApi.ConfirmRequest);

/** POST /v1/group-payments/{id}/confirm. The body names the payment; the path is used only for routing. */
export function confirmGroupPayment({ confirm, services, admitPayment, notePayment }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const { payment_intent_id, card, return_url } = read(request).plain;
    const { principal } = caller;
    const begin = {
      ...toScope(caller),
      principal,
      group_id,
      payment_intent_id: payment_intent_id.toLowerCase(),
      ...(return_url !== undefined && { return_url }),
    };
    const sought = { ...toScope(caller), intent_id: begin.payment_intent_id };
    await admitPayment(request, caller, async () => (await services.findIntent(sought)).group_id);
    notePayment(request, caller, begin.payment_intent_id);
    return { status: 200, body: await confirm(begin, card) };
  };
}
