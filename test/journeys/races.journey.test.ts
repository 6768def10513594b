import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { send, type Pay } from '../support/api.ts';
import { openApi, beforeExpiry, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { bookedPayments } from '../support/books.ts';
import { authorise } from '../support/payer.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { refund } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant } from '../support/stack.ts';

/** How many last holds arrive, each 25 ms later than the one before. */
const RACES = 12;

let shared: SharedStack;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
});
afterAll(() => shared?.close());

describe('50 payers want one slot at the same moment', () => {
  it('exactly one of 50 payers gets the slot, and the others get the error that nothing is left to pay', async () => {
    const merchant = findMerchant(shared.stack, 'gateway_a');
    const group = await newGroup(openApi(shared.stack, merchant), 1);
    const url = `${shared.stack.api}/v1/group-payments/${group.group_payment.id}/pay`;
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
  });
});

describe('the last hold arrives around the moment of expiry', () => {
  it('a last hold around the moment of expiry leads to all captures or to none, and the books agree', async () => {
    const api = openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));
    const begun = Date.now();
    const tried = await newGroup(api, 1);
    await paySlot(shared.stack, api, tried, 0, payer('tried'));
    // Time for all payers to get ready, also on a busy machine.
    const ready = Math.min(3 + (RACES * 2 * (Date.now() - begun)) / 1_000, 40);
    const bills = await beforeExpiry(ready, (expires_at) =>
      Promise.all(
        Array.from({ length: RACES }, async (_, index) => {
          const group = await newGroup(api, 2, { expires_at });
          const first = await paySlot(shared.stack, api, group, 0, payer(`first${index}`));
          const second = await api.pay(group.group_payment.id, {
            customer_email: `second${index}@payers.example`,
            slot_ids: [group.payment_slots[1]?.id],
          });
          return { group, first, second };
        }),
      ),
    );
    const worlds = await Promise.all(
      bills.map(async ({ group, first, second }, index) => {
        const due = Date.parse(group.group_payment.expires_at) - 150 + index * 25;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
        await authorise(shared.stack, api, group.group_payment.id, second, payer(`second${index}`)).catch(
          () => undefined,
        );
        const ended = await api.becomes(group.group_payment.id, ['paid', 'expired'], 60_000);
        return { state: ended.group_payment.state, first, second };
      }),
    );
    for (const { state, first, second } of worlds) {
      const wanted = state === 'paid' ? 'captured' : 'voided';
      await booksShow(shared.stack, first, wanted);
      const late = await bookedPayments(shared.stack, second.psp_code, second.payment_intent_id);
      if (late.some((payment) => Number(payment.authorised_minor) > 0))
        await booksShow(shared.stack, second, wanted);
      else expect(state).toBe('expired');
    }
    expect(worlds.length).toBe(RACES);
  });
});

describe('two refunds of one bill at the same moment', () => {
  it('two refunds of one bill at the same moment refund every payment once (E2)', async () => {
    const merchant = findMerchant(shared.stack, 'gateway_a');
    const api = openApi(shared.stack, merchant);
    const http = openRequests(shared.stack.api, merchant.test_key);
    const group = await newGroup(api, 2);
    const { id } = group.group_payment;
    const pays = [
      await paySlot(shared.stack, api, group, 0, payer('ana')),
      await paySlot(shared.stack, api, group, 1, payer('ben')),
    ];
    await api.becomes(id, ['paid'], 60_000);
    const slots = [group.payment_slots[0]!.id];
    const answers = await Promise.all([
      refund(http, id),
      refund(http, id),
      refund(http, id, { slots }),
      refund(http, id, { slots }),
    ]);
    const done = answers
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => body.refunded_payment_intents);
    expect(done.toSorted()).toEqual(pays.map(({ payment_intent_id }) => payment_intent_id).toSorted());
    for (const { body } of answers.filter(({ status }) => status !== 200))
      expect(['nothing_to_refund', 'slots_not_captured', 'group_busy']).toContain(body['code']);
    await api.becomes(id, ['refunded'], 60_000);
    for (const pay of pays) {
      const booked = await booksShow(shared.stack, pay, 'refunded');
      expect([effects(booked, 'refund'), Number(booked.refunded_minor)]).toEqual([1, 1_000]);
    }
  });
});

describe('two browsers with a token each want one slot', () => {
  it('one of two browsers gets the slot, the other an error, and neither response names the other payer (A1, A11)', async () => {
    const merchant = findMerchant(shared.stack, 'gateway_b');
    const api = openApi(shared.stack, merchant);
    const server = openRequests(shared.stack.api, merchant.test_key);
    const group = await newGroup(api, 1);
    const at = `/v1/group-payments/${group.group_payment.id}`;
    const names = ['ana', 'ben'];
    const browsers = await Promise.all(
      names.map(async () => {
        const { body } = await server.post(`${at}/session`, {});
        return openRequests(shared.stack.api, String(body['token']));
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.post(
          `${at}/pay`,
          { customer_email: `${names[index]}@payers.example` },
          { 'idempotency-key': randomUUID() },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const [winner, loser] = answers.toSorted((one, other) => one.status - other.status);
    expect(loser?.body['code']).toBe('no_payable_slots');
    expect(JSON.stringify(loser?.body)).not.toMatch(/payers\.example/);
    const who = payer('first');
    await authorise(shared.stack, api, group.group_payment.id, winner?.body as Pay, who);
    await api.becomes(group.group_payment.id, ['paid'], 60_000);
  });
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(shared.stack)).toEqual([]);
});
