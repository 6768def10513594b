import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMON_TEST_CARDS, findManifest, type TestCards } from '@gp/gateway-registry';
import {
  confirmInBrowser,
  createIntent,
  merchantA,
  type MerchantA,
} from '../../gateway-adapters/stripe/test/merchant.ts';
import { merchantB, pay, type MerchantB } from '../../gateway-adapters/checkout-com/test/merchant.ts';
import {
  merchantC,
  newOrder,
  openForm,
  submitCard,
  type MerchantC,
} from '../../gateway-adapters/redsys/test/merchant.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { openTester } from './tester.ts';

type Group = 'approved' | 'challenged' | 'declined';

let sandbox: Sandbox;
let stripe: MerchantA;
let checkoutCom: MerchantB;
let redsys: MerchantC;

beforeAll(async () => {
  sandbox = await startSandbox();
  const tester = openTester(sandbox.url);
  stripe = await merchantA(sandbox, tester);
  checkoutCom = await merchantB(sandbox, tester);
  redsys = await merchantC(sandbox, tester);
});

afterAll(() => sandbox.stop());

const listCards = (cards: TestCards): [number: string, group: Group, outcome: string][] =>
  (['approved', 'challenged', 'declined'] as const).flatMap((group) =>
    cards[group].map(({ number, outcome }): [string, Group, string] => [number, group, outcome]),
  );

describe.each(listCards(COMMON_TEST_CARDS))('the card %s, listed under %s (%s)', (number, group) => {
  it('a listed card has its behaviour on gateway_a', async () =>
    expect(await payOnGatewayA(number)).toBe(group));
  it('a listed card has its behaviour on gateway_b', async () =>
    expect(await payOnGatewayB(number)).toBe(group));
  it('a listed card has its behaviour on gateway_c', async () =>
    expect(await payOnGatewayC(number)).toBe(group));
});

describe('the cards that only gateway_c has', () => {
  it.each(listCards(findManifest('gateway_c').testCards))(
    'a card that only gateway_c has: %s: %s (%s)',
    async (number, group) => {
      expect(await payOnGatewayC(number)).toBe(group);
    },
  );
});

async function payOnGatewayA(number: string): Promise<Group> {
  const { body } = await confirmInBrowser(stripe, sandbox, await createIntent(stripe), number);
  const { status } = body as { status?: string };
  if (status === 'requires_capture') return 'approved';
  return status === 'requires_action' ? 'challenged' : 'declined';
}

async function payOnGatewayB(number: string): Promise<Group> {
  const { status, body } = await pay(checkoutCom, { number });
  if (status === 202) return 'challenged';
  return status === 201 && (body as { approved: boolean }).approved ? 'approved' : 'declined';
}

async function payOnGatewayC(number: string): Promise<Group> {
  const { text } = await submitCard((await openForm(redsys, newOrder())).text, { number });
  if (text.includes('name="code"')) return 'challenged';
  return text.includes('The payment is authorised.') ? 'approved' : 'declined';
}
