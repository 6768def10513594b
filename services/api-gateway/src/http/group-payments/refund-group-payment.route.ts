import { publicApi, type RefundAnswer } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { answerOnce } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';
import { optionalBodyReader } from '../request/validator.ts';

const read = optionalBodyReader(publicApi.RefundRequest);

/** POST /v1/group-payments/{id}/refund. The status is 502 when nothing was refunded, with the same body. */
export function refundGroupPayment({ once, services }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const body = read(request);
    const { slot_ids } = body.plain;
    return answerOnce(once, { request, caller, body: body.exact }, async (identity) => {
      const answer = await services.requestRefund({
        ...identity,
        ...toScope(caller),
        group_id,
        ...(slot_ids && { slot_ids: slot_ids.map((id) => id.toLowerCase()) }),
        source: 'api',
      });
      return { status: answer.refunded.length > 0 ? 200 : 502, body: refundResponse(answer) };
    });
  };
}

function refundResponse({ refunded, failed, group_state }: RefundAnswer) {
  return {
    refunded_payment_intents: refunded.map(({ intent_id }) => intent_id),
    refunded_slot_ids: refunded.flatMap(({ slot_ids }) => slot_ids),
    failed: failed.map(({ intent_id, psp_code, error, code = 'outcome_unknown' }) => ({
      payment_intent_id: intent_id,
      psp_code,
      code,
      error,
    })),
    group_state,
  };
}
