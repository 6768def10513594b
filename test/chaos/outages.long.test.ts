import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, type Answer } from '../support/api.ts';
import { openApi, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';

let own: OwnStack;
let merchant: Merchant;

beforeAll(async () => {
  own = await openOwnStack();
  merchant = findMerchant(own.stack, 'gateway_a');
});
afterAll(() => own?.close());

/** The same request each time, as a client that retries sends it. */
const body = {
  group_name: 'Outage',
  total_amount: 10,
  currency: 'EUR',
  expires_at: inSeconds(3_600),
  distribution: { type: 'equally', number_of_slots: 2 },
};
const create = (key: string): Promise<Answer> =>
  send('POST', `${own.stack.api}/v1/group-payments`, body, {
    authorization: `Bearer ${merchant.test_key}`,
    'idempotency-key': key,
  });

describe.each(['postgres', 'nats'])('%s is stopped', (server) => {
  it('the API answers 503 in the error shape at once, recovers by itself, and loses nothing it accepted', async () => {
    const target = own.opened.processes.get(server);
    if (!target) throw new Error(`no process ${server}`);
    const api = openApi(own.stack, merchant);
    const before = await newGroup(api, 2);
    const pay = await paySlot(own.stack, api, before, 0, payer('early'));

    await target.stop();
    const key = randomUUID();
    const refused = await becomes(
      () => create(key),
      (answer) => answer.status === 503,
    );
    expect(refused.body).toMatchObject({
      error: 'Service Unavailable',
      version: '1.0.0',
      code: expect.any(String),
    });
    expect(refused.body['request_id']).toMatch(/^req_/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const reading = await send(
      'GET',
      `${own.stack.api}/v1/group-payments/${before.group_payment.id}`,
      undefined,
      {
        authorization: `Bearer ${merchant.test_key}`,
      },
    );
    expect(reading.status).toBe(503);

    await target.start();
    // The same key after the outage: one group, with any result of the tries before.
    const made = await becomes(
      () => create(key),
      (answer) => answer.status === 201,
    );
    const again = await create(key);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(made.body);
    await paySlot(own.stack, api, before, 1, payer('late'));
    const paid = await api.becomes(before.group_payment.id, ['paid'], 90_000);
    expect(paid.payment_slots.map((slot) => slot.state)).toEqual(['captured', 'captured']);
    expect(pay.payment_intent_id).toBeDefined();
  }, 180_000);
});

/** Asks until the answer is the wanted one; any 5xx but 503 on the way is a failure. */
async function becomes(ask: () => Promise<Answer>, isWanted: (answer: Answer) => boolean): Promise<Answer> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(200)) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (answer.status >= 500 && answer.status !== 503)
      throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    if (Date.now() > giveUpAt)
      throw new TimeoutError(`still ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}
