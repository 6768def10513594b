import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findManifest, pspCodesWithFlow } from '@gp/gateway-registry';
import type { Group, Json, Pay } from '../support/api.ts';
import { newGroup, openApi, payer } from '../support/journey.ts';
import { buildConfirmRequest, encrypt } from '../support/payer.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: gateways });
  stack = shared.stack;
});
afterAll(() => shared?.close());

/** A payment of the only slot of a new group, and the request that confirms it with a good card. */
async function begin(gateway: (typeof gateways)[number]) {
  const merchant = findMerchant(stack, gateway);
  const api = openApi(stack, merchant);
  const group: Group = await newGroup(api, 1);
  const { id } = group.group_payment;
  const pay: Pay = await api.pay(id, { customer_email: 'ana@payers.example' });
  const good = await buildConfirmRequest(stack, pay, payer('ana'));
  const http: Requests = openRequests(stack.api, merchant.test_key);
  const confirm = (card: Json) =>
    http.post(`/v1/group-payments/${id}/confirm`, { ...good, card: { ...good.card, ...card } });
  return { api, id, pay, confirm };
}

const gateways = pspCodesWithFlow('server_confirm').filter((code) => findManifest(code).card);

describe.each(gateways)('%s', (gateway) => {
  it('the gateway refuses a card that is no ciphertext with 400, and the slot is payable at once (X1)', async () => {
    const { api, id, confirm } = await begin(gateway);
    const hostile: Json[] = [
      { encrypted_card_number: 'ev:' },
      { encrypted_card_number: 'ev:4242424242424242' },
      { encrypted_card_number: 'ev:QkTC:AAAA:BBBB:CCCC:$' },
      { encrypted_card_number: `ev:${'A'.repeat(100_000)}` },
      { encrypted_security_code: 'ev:123' },
      { cardholder_name: 'Ada 4242 4242 4242 4242' },
    ];
    for (const card of hostile) expectError(await confirm(card), 400, 'validation_error');
    expect((await confirm({})).status).toBe(200);
    await api.becomes(id, ['paid']);
  });

  it('the gateway declines a card that it cannot decrypt with 400, and the slot is payable at once (X2)', async () => {
    const { api, id, pay, confirm } = await begin(gateway);
    const [number, other] = await Promise.all(
      ['4242424242424242', '123'].map((text) => encrypt(stack, pay, text)),
    );
    const damaged = number?.replace(/[^:]{8}:\$$/, 'AAAAAAAA:$');
    expectError(await confirm({ encrypted_card_number: damaged }), 400, 'card_declined');
    expectError(await confirm({ encrypted_card_number: other }), 400, 'card_declined');
    expect((await api.findGroup(id)).payment_slots[0]?.state).toBe('unassigned');
    expect((await confirm({})).status).toBe(200);
    await api.becomes(id, ['paid']);
  });
});
