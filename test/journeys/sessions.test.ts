import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Answer, Group, Json } from '../support/api.ts';
import { apiOf, newGroup, payer } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { confirmationOf } from '../support/payer.ts';
import { requestsOf, type Requests } from '../support/requests.ts';
import { merchantOf, type StackFile } from '../support/stack.ts';

let own: OwnStack;
let stack: StackFile;
let server: Requests;

beforeAll(async () => {
  own = await openOwnStack();
  stack = own.stack;
  server = requestsOf(stack.api, merchantOf(stack, 'gateway_b').test_key);
}, 120_000);
afterAll(() => own?.close(), 60_000);

const group = (slots: number, o: Json = {}): Promise<Group> =>
  newGroup(apiOf(stack, merchantOf(stack, 'gateway_b')), slots, o);
const at = ({ group_payment }: Group, suffix = '') => `/v1/group-payments/${group_payment.id}${suffix}`;
const mint = async (of: Group, body?: Json): Promise<Answer> => server.post(at(of, '/session'), body);
const ana = payer('ana');
const ben = payer('ben');

describe('a browser with a session token', () => {
  it('reads and pays its group to the end, and learns nothing of the other payers (A11, Q6)', async () => {
    const bill = await group(2, { metadata: { host: 'carla@payers.example' } });
    const minted = await mint(bill);
    expect(minted.body).toEqual({
      token: expect.any(String),
      group_payment_id: bill.group_payment.id,
      expires_in: 1_800,
    });
    const browser = requestsOf(stack.api, String(minted.body['token']));
    for (const [index, who] of [ana, ben].entries()) {
      const slot_ids = [bill.payment_slots[index]?.id];
      const order = { customer_email: who.email, customer_name: who.name, slot_ids };
      const pay = await browser.post(at(bill, '/pay'), order, { 'idempotency-key': randomUUID() });
      expect(pay.status).toBe(201);
      const card = await confirmationOf(stack, pay.body as never, who);
      expect((await browser.post(at(bill, '/confirm'), card as Json)).body).toEqual({
        status: 'preauthorised',
      });
      const shown = JSON.stringify((await browser.get(at(bill))).body);
      expect(shown).toContain('preauthorised');
      expect(shown).not.toMatch(/payers\.example|Example|customer_id":"/);
    }
    await apiOf(stack, merchantOf(stack, 'gateway_b')).becomes(bill.group_payment.id, ['paid']);
    expect((await browser.get(at(bill))).body).toMatchObject({ group_payment: { state: 'paid' } });
  }, 120_000);
});
