import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { send } from '../support/api.ts';
import { apiOf, booksShow, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { bookedPayments } from '../support/books.ts';
import { authorise } from '../support/payer.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { merchantOf } from '../support/stack.ts';

let own: OwnStack;
beforeAll(async () => {
  own = await openOwnStack();
}, 120_000);
afterAll(() => own?.close(), 60_000);

describe('50 payers want one slot at the same moment', () => {
  it('exactly one gets it and the others are told that there is nothing left to pay', async () => {
    const merchant = merchantOf(own.stack, 'gateway_a');
    const group = await newGroup(apiOf(own.stack, merchant), 1);
    const url = `${own.stack.api}/v1/group-payments/${group.group_payment.id}/pay`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(
          'POST',
          url,
          { customer_email: `racer${index}@payers.example` },
          {
            authorization: `Bearer ${merchant.test_key}`,
            'idempotency-key': randomUUID(),
          },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map(({ status, body }) => `${status} ${String(body['code'])}`))).toEqual(
      new Set(['409 no_payable_slots']),
    );
  }, 60_000);
});

describe('the last hold arrives around the moment of expiry', () => {
  it('either everything is captured or nothing is, and the books agree', async () => {
    const api = apiOf(own.stack, merchantOf(own.stack, 'gateway_b'));
    const worlds = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const group = await newGroup(api, 2, { expires_at: inSeconds(4) });
        const first = await paySlot(own.stack, api, group, 0, payer(`first${index}`));
        const due = Date.parse(group.group_payment.expires_at) - 150 + index * 25;
        const second = await api.pay(group.group_payment.id, {
          customer_email: `second${index}@payers.example`,
          slot_ids: [group.payment_slots[1]?.id],
        });
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
        await authorise(own.stack, api, group.group_payment.id, second, payer(`second${index}`)).catch(
          () => undefined,
        );
        const ended = await api.becomes(group.group_payment.id, ['paid', 'expired'], 60_000);
        return { state: ended.group_payment.state, first, second };
      }),
    );
    for (const { state, first, second } of worlds) {
      const wanted = state === 'paid' ? 'captured' : 'voided';
      await booksShow(own.stack, first, wanted);
      const late = await bookedPayments(own.stack, second.psp_code, second.payment_intent_id);
      if (late.some((payment) => Number(payment.authorised_minor) > 0))
        await booksShow(own.stack, second, wanted);
      else expect(state).toBe('expired');
    }
    expect(worlds.length).toBe(12);
  }, 120_000);
});
