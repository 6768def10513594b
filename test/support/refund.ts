import type { Answer, Json } from './api.ts';
import type { Requests } from './requests.ts';

export type RefundBody = {
  refunded_payment_intents: string[];
  refunded_slot_ids: string[];
  failed: { payment_intent_id: string; psp_code: string; error: string }[];
  group_state: string;
};

/** Refunds slots of a group, or everything, one request and its answer as it comes. */
export async function refund(
  http: Requests,
  groupId: string,
  o: { slots?: readonly string[]; key?: string } = {},
): Promise<Answer<RefundBody & Json>> {
  const headers = o.key === undefined ? {} : { 'idempotency-key': o.key };
  const body = o.slots && { slot_ids: o.slots };
  const answer = await http.post(`/v1/group-payments/${groupId}/refund`, body, headers);
  return answer as Answer<RefundBody & Json>;
}
