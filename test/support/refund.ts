import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
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
  http: Pick<Requests, 'post'>,
  groupId: string,
  o: { slots?: readonly string[]; key?: string } = {},
): Promise<Answer<RefundBody & Json>> {
  const headers = o.key === undefined ? {} : { 'idempotency-key': o.key };
  const body = o.slots && { slot_ids: o.slots };
  const answer = await http.post(`/v1/group-payments/${groupId}/refund`, body, headers);
  return answer as Answer<RefundBody & Json>;
}

/** The same until there is an answer that is final, as a careful client does: one key, so one refund. */
export async function refundUntilAnswered(
  http: Requests,
  groupId: string,
  key: string,
  withinMs = 120_000,
): Promise<Answer<RefundBody & Json>> {
  for (const giveUpAt = Date.now() + withinMs; ; await delay(200)) {
    const answer = await refund(http, groupId, { key }).catch(() => undefined);
    // A 502 of ours has the refund's body: nothing went back, and that is the answer.
    const isFinal = answer && (answer.body.group_state !== undefined || answer.status < 500);
    if (isFinal && answer.body['code'] !== 'idempotency_key_in_use') return answer;
    if (Date.now() > giveUpAt)
      throw new TimeoutError(`no refund was answered: ${JSON.stringify(answer?.body)}`);
  }
}
