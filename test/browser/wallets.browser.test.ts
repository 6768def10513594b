import { describe, expect, it } from '@jest/globals';
import type { Group } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { answerIssuer, begunIn, GOOD_CARD, openBill, type PayerPage } from './payer-page.ts';
import { watchShifts } from './shifts.ts';
import { type Screen, type Visitor } from './support.ts';
import { findWallet, hideWallets, waitUntilSaid } from './wallet-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_a'] });

const api = () => openApi(shared.stack, findMerchant(shared.stack, 'gateway_a'));
const listSlotStates = async ({ group_payment: { id } }: Group) =>
  (await api().findGroup(id)).payment_slots.map(({ state }) => state);

/** What the gateway was asked to do with a payment, in its order; queries change nothing. */
async function listCalls(intentId: string | undefined): Promise<string[]> {
  const payments = await bookedPayments(shared.stack, 'gateway_a', intentId ?? '');
  const operations = payments.flatMap(({ calls }) => calls.map(({ operation }) => operation));
  return operations.filter((operation) => operation !== 'query');
}

/** A payer at the card form of a share, on a device with the wallet. */
async function reachCardForm(visitor: Visitor): Promise<PayerPage & { group: Group }> {
  const group = await newGroup(api(), 2);
  const payer = await openBill(visitor, group);
  await payer.take([1], 'ana');
  await payer.cardIsThere();
  return { ...payer, group };
}

/** A device whose browser has no interface to wallets; measures what moves by itself. */
async function visitWithoutWallet(screen: Screen): Promise<Visitor> {
  const visitor = await browser.visit(screen);
  await hideWallets(visitor.page);
  await watchShifts(visitor.page);
  return visitor;
}

describe('a wallet on the checkout page', () => {
  it(
    'a payer pays a share by the wallet above the card form on a phone, and a double click places one hold (Q89)',
    async () => {
      const visitor = await browser.visit('phone');
      const ana = await reachCardForm(visitor);
      const wallet = findWallet(ana.page);
      await wallet.button.waitFor();
      const name = ana.page.getByLabel('Name on the card');
      const [above, below] = await Promise.all([wallet.button.boundingBox(), name.boundingBox()]);
      expect(above?.y).toBeLessThan(below?.y ?? 0);
      await ana.page.getByText('or pay by card').waitFor();
      await ana.expectGood();
      await visitor.screenshot('checkout-wallet');

      const intentId = await begunIn(ana.page);
      await wallet.button.dblclick();
      await wallet.sheet.waitFor();
      expect(await ana.page.getByRole('dialog').count()).toBe(1);
      await visitor.expectAccessible();
      await visitor.screenshot('checkout-wallet-sheet');
      await wallet.accepted.click();
      await ana.waitUntilHeld();
      await ana.expectGood();
      expect(await listCalls(intentId)).toEqual(['prepare', 'authorise']);
      expect(await listSlotStates(ana.group)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a wallet does not open while the name is missing, and the page shows the field (Q89)',
    async () => {
      const ana = await reachCardForm(await browser.visit('phone'));
      const wallet = findWallet(ana.page);
      const name = ana.page.getByLabel('Name on the card');
      await name.fill('');
      await wallet.button.click();
      expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await ana.page.getByRole('dialog').count()).toBe(0);
      await name.fill('Ana Example');
      await wallet.button.click();
      await wallet.sheet.waitFor();
    },
    TEST_MS,
  );

  it(
    'a wallet that the payer closes sends nothing, and the card form pays the same reservation (Q89)',
    async () => {
      const ana = await reachCardForm(await browser.visit('desktop'));
      const wallet = findWallet(ana.page);
      const intentId = await begunIn(ana.page);
      await wallet.button.click();
      await wallet.cancel.click();
      await wallet.sheet.waitFor({ state: 'detached' });
      await wallet.button.click();
      await wallet.sheet.waitFor();
      await ana.page.keyboard.press('Escape');
      await wallet.sheet.waitFor({ state: 'detached' });
      expect(await begunIn(ana.page)).toBe(intentId);
      expect(await listCalls(intentId)).toEqual(['prepare']);
      await ana.typeCard(GOOD_CARD);
      await ana.pay();
      await ana.waitUntilHeld();
      expect(await listCalls(intentId)).toEqual(['prepare', 'authorise']);
    },
    TEST_MS,
  );

  it(
    'a declined wallet shows the reason, and the same button pays the shares again after 3-D Secure (Q89)',
    async () => {
      const visitor = await browser.visit('phone');
      visitor.expects(/402/);
      const ana = await reachCardForm(visitor);
      const wallet = findWallet(ana.page);
      const first = await begunIn(ana.page);
      await wallet.button.click();
      await wallet.declined.click();
      await ana.alertWith(/There is not enough money on this card.*Nothing was charged/).waitFor();
      await ana.expectGood();
      await visitor.screenshot('checkout-wallet-declined');
      await wallet.button.click();
      await wallet.challenged.click();
      await answerIssuer(ana.page, true);
      await ana.waitUntilHeld();
      expect(await listCalls(first)).toEqual(['prepare', 'authorise']);
      expect(await listSlotStates(ana.group)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a device without a wallet is shown the card form alone, and nothing moves (Q89)',
    async () => {
      const visitor = await visitWithoutWallet('phone');
      const { page } = visitor;
      let answer = (): void => undefined;
      const isAnswered = new Promise<void>((resolve) => (answer = resolve));
      await page.route(/\/v1\/payment_intents\/pi_/, async (route) => {
        await isAnswered;
        await route.continue();
      });
      const ana = await reachCardForm(visitor);
      await page.getByText(/Reserved for you/).waitFor();
      await page.evaluate(() => (window.shifts = 0));
      answer();
      await waitUntilSaid(page);
      expect(await findWallet(ana.page).button.count()).toBe(0);
      expect(await ana.page.getByText('or pay by card').isVisible()).toBe(false);
      const [title, name] = await Promise.all([
        ana.page.locator('.reservation').boundingBox(),
        ana.page.getByLabel('Name on the card').locator('xpath=..').boundingBox(),
      ]);
      // One gap of the form, and nothing else.
      expect(Math.round((name?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0))).toBe(16);
      expect(await ana.page.evaluate(() => window.shifts)).toBe(0);
      await ana.expectGood();
      await visitor.screenshot('checkout-no-wallet');
    },
    TEST_MS,
  );
});
