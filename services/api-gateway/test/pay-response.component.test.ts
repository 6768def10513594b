import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findManifest, pspCodes } from '@gp/gateway-registry';
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

it.each(pspCodes)('the response has the bytes that were recorded for %s', async (psp_code) => {
  const client = findManifest(psp_code).clientData.example;
  edge.fakes.answers.pay = () => Promise.resolve({ ...started, psp_code, client });
  const path = '/v1/group-payments/0198c3f0-0000-7000-8000-00000000000a/pay';
  const { text } = await edge.post(path, { customer_email: 'ada@example.com' }, { key: edge.key });
  expect(text).toBe(golden[psp_code]);
});
