import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Group } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { brokenPromises } from '../support/promises.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { answerIssuer, begunIn, GOOD_CARD, openBill, type PayerPage } from './payer-page.ts';
import { book, findForm } from './shop-page.ts';
import { BROWSER_START_MS, openBrowser, type Screen, type TestBrowser, type Visitor } from './support.ts';

const TEST_MS = 150_000;

declare global {
  interface Window {
    /** How far parts of the page moved by themselves. */
    shifts: number;
  }
}

let shared: SharedStack;
let browser: TestBrowser;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a'] });
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser?.dismiss());
afterAll(async () => {
  await browser?.close();
  expect(await brokenPromises(shared.stack)).toEqual([]);
  await shared.close();
});

const api = () => openApi(shared.stack, findMerchant(shared.stack, 'gateway_a'));
const listSlotStates = async ({ group_payment: { id } }: Group) =>
  (await api().findGroup(id)).payment_slots.map(({ state }) => state);

/** What the gateway was asked to do with a payment, in its order; queries change nothing. */
async function listCalls(intentId: string | undefined): Promise<string[]> {
  const payments = await bookedPayments(shared.stack, 'gateway_a', intentId ?? '');
  const operations = payments.flatMap(({ calls }) => calls.map(({ operation }) => operation));
  return operations.filter((operation) => operation !== 'query');
}

/** The wallet of the sandbox, on the page or in the widget's frame. */
function findWallet(form: Page | FrameLocator) {
  const card = (outcome: string): Locator => form.getByRole('dialog').getByRole('button', { name: outcome });
  const button = form.getByRole('button', { name: 'Test Pay' });
  return {
    button,
    sheet: form.getByRole('dialog', { name: 'Test Pay: €10.00' }),
    accepted: card('is accepted'),
    declined: card('is declined'),
    challenged: card('asks for 3-D Secure'),
    cancel: card('Cancel'),
  };
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
  await visitor.page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PaymentRequest');
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return visitor;
}

/** Resolves when the gateway's library has said which wallets the device has. */
async function waitUntilSaid(form: Page | FrameLocator): Promise<void> {
  const place = form.locator('#express');
  await place.locator('> div').waitFor({ state: 'attached' });
  // The library says it in the task after this one.
  await place.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
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

describe('a wallet in the widget', () => {
  async function reachCardForm(visitor: Visitor) {
    await switchGateway(shared.stack, shared.shopkeeper, 'gateway_a');
    const id = await book(visitor.page, shared.stack.shop, 'script');
    const payer = findForm(visitor.page);
    await payer.choose(1, 'ana');
    await payer.goOn.click();
    await payer.form.locator('.card-ready').waitFor();
    return { ...payer, id };
  }

  it(
    'a payer pays a share by the wallet in the widget on a phone (Q89)',
    async () => {
      const visitor = await browser.visit('phone');
      const payer = await reachCardForm(visitor);
      const wallet = findWallet(payer.form);
      await payer.form.getByLabel('Name on the card').fill('Ana Example');
      await wallet.button.waitFor();
      await visitor.expectAccessible();
      await wallet.button.click();
      await wallet.accepted.waitFor();
      await visitor.expectAccessible();
      await wallet.accepted.click();
      await payer.heading('You are in').waitFor();
      const { payment_slots: slots } = await openApi(shared.stack, shared.shopkeeper).findGroup(payer.id);
      expect(slots.map(({ state }) => state)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a widget on a device without a wallet is shown the card form alone (Q89)',
    async () => {
      const visitor = await visitWithoutWallet('phone');
      const payer = await reachCardForm(visitor);
      await waitUntilSaid(payer.form);
      expect(await findWallet(payer.form).button.count()).toBe(0);
      expect(await payer.form.getByText('or pay by card').isVisible()).toBe(false);
      await visitor.expectAccessible();
    },
    TEST_MS,
  );
});
