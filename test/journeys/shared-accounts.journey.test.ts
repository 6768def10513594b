import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { send } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, newGroup, payer, paySlot } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type Merchant, type StackFile } from '../support/stack.ts';

/** The first question about a payment whose callback is lost comes after two minutes. */
const BEFORE_ANY_QUESTION_MS = 60_000;

let shared: SharedStack;
let stack: StackFile;
let victim: Merchant;
let other: Merchant;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', null] });
  stack = shared.stack;
  [victim, other] = [findMerchant(stack, 'gateway_a'), findMerchant(stack, null)];
});
afterAll(() => shared?.close());

/** Pays one of two slots; returns the account at the gateway, and how long the group took to show the hold. */
async function holdOne(merchant: Merchant, who: string) {
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 2);
  const begunAt = Date.now();
  const pay = await paySlot(stack, api, group, 0, payer(who));
  await api.becomes(group.group_payment.id, ['partially_preauthorised']);
  return { account: String(pay.gateway_a_account_id), ms: Date.now() - begunAt };
}

/** Logs a person of a merchant in; returns a function that posts connections of gateway_a and returns each answer. */
async function logIn({ email, password }: Merchant) {
  const { headers } = await send('POST', `${stack.dashboard}/api/login`, { email, password });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return (credentials: unknown) =>
    send(
      'POST',
      `${stack.dashboard}/api/gateways`,
      { mode: 'test', psp_code: 'gateway_a', credentials },
      { cookie },
    );
}

it('eleven connections of another merchant under the name of an account do not delay its holds (B13)', async () => {
  const { account } = await holdOne(victim, 'ana');
  const connect = await logIn(other);
  for (let n = 0; n < 11; n++) {
    const { status, body } = await connect({
      account_id: account,
      publishable_key: 'pk_test_bogus',
      secret_key: `sk_test_bogus${n}`,
      webhook_secret: `whsec_bogus${n}`,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param: 'secret_key' });
  }
  expect((await holdOne(victim, 'ben')).ms).toBeLessThan(BEFORE_ANY_QUESTION_MS);
});

it('two merchants on one account both see their holds at once (B14)', async () => {
  const dashboard = await openDashboard(stack, victim);
  expect((await dashboard.get('gateways?mode=test')).body).toMatchObject({ gateways: [{ verified: true }] });
  const url = `${stack.sandbox}/control/gateway_a/accounts`;
  // The account has its address for callbacks already, and keeps it.
  const { body: credentials } = await send('POST', url, { name: victim.merchant_id });
  const connect = await logIn(other);
  expect((await connect(credentials)).body).toMatchObject({ active: true, verified: true });
  const holds = [
    await holdOne(other, 'cleo'),
    await holdOne(victim, 'dan'),
    ...(await Promise.all([holdOne(other, 'eve'), holdOne(victim, 'finn')])),
  ];
  expect(new Set(holds.map(({ account }) => account)).size).toBe(1);
  for (const { ms } of holds) expect(ms).toBeLessThan(BEFORE_ANY_QUESTION_MS);
});
