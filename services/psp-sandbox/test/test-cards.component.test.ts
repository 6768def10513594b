import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COMMON_TEST_CARDS,
  findManifest,
  pspCodes,
  type PspCode,
  type TestCards,
} from '@gp/gateway-registry';
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

/** Pays with a card at each gateway. */
const payOn: Partial<Record<PspCode, (number: string) => Promise<Group>>> = {
  gateway_a: payOnGatewayA,
  gateway_b: payOnGatewayB,
  gateway_c: payOnGatewayC,
};

describe.each(pspCodes)('a card that is listed for %s', (psp) => {
  const cards = [...listCards(COMMON_TEST_CARDS), ...listCards(findManifest(psp).testCards)];
  const byNumber = new Map(cards.map((card) => [card[0], card]));

  it.each([...byNumber.values()])('a listed card has its behaviour: %s: %s (%s)', async (number, group) => {
    const pay = payOn[psp];
    if (!pay) throw new Error(`add to payOn how a test pays with a card at ${psp}`);
    expect(await pay(number)).toBe(group);
  });
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
