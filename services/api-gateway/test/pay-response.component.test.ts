import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openEdge, type Edge } from './support/edge.ts';

const golden = JSON.parse(readFileSync(new URL('./pay-response.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());

const started = {
  payment_intent_id: '0198c3f0-0000-7000-8000-00000000000c',
  amount_minor: '1050',
  currency: 'EUR',
  slot_ids: ['0198c3f0-0000-7000-8000-00000000000b'],
};
const clients = {
  gateway_a: { client_secret: 'pi_1_secret_1', gateway_a_account_id: 'acct_1', publishable_key: 'pk_test_1' },
  gateway_b: { card_field_team_id: 'team_1', card_field_app_id: 'app_1' },
  gateway_c: { gateway_c_form: { url: 'https://bank.example/sis', body: { Ds_Signature: 's', Ds_A: 'b' } } },
} as const;

it.each(['gateway_a', 'gateway_b', 'gateway_c'] as const)(
  'the response has the bytes that were recorded for %s',
  async (psp_code) => {
    edge.fakes.answers.pay = () => Promise.resolve({ ...started, psp_code, client: clients[psp_code] });
    const path = '/v1/group-payments/0198c3f0-0000-7000-8000-00000000000a/pay';
    const { text } = await edge.post(path, { customer_email: 'ada@example.com' }, { key: edge.key });
    expect(text).toBe(golden[psp_code]);
  },
);
