import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { openKeyboard } from './keyboard.ts';
import { GOOD_CARD, openBill, payerPage } from './payer-page.ts';
import { watchShifts } from './shifts.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 200_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_b'] });

const api = () => openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));
const invite = (page: Page) => page.getByRole('link', { name: 'Invite friends' });
/** The files of later steps that the page has fetched. */
const listLater = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /\/(?:steps|later-)/.test(name)),
  );

it(
  'a payer finds the page to invite friends before and after paying, copies and shares the link, and comes back (Q100, Q101)',
  async () => {
    const group = await newGroup(api(), 3);
    const phone = await browser.visit('phone', { permissions: ['clipboard-read', 'clipboard-write'] });
    await phone.page.addInitScript(() => {
      const shared: ShareData[] = [];
      Object.assign(navigator, { shared, share: async (data: ShareData) => void shared.push(data) });
    });
    const ana = await openBill(phone, group);
    const { page } = phone;
    await ana.expectGood();
    await phone.screenshot('checkout-invite');
    await invite(page).click();

    await ana.heading('Invite friends').waitFor();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await ana.expectGood();
    await ana.button('Copy the link').click();
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(group.checkout_url);
    await ana.button('Send the link').click();
    expect(
      await page.evaluate(() =>
        (navigator as unknown as { shared: ShareData[] }).shared.map(({ url }) => url),
      ),
    ).toEqual([group.checkout_url]);
    await phone.screenshot('checkout-friends');

    // The link of one share chooses it for the friend.
    await page.getByText('A link for one share').click();
    await page.getByRole('link', { name: 'Share 2' }).click();
    await page.getByText(/^Share 2 · /).waitFor();
    const address = page.locator('.friends-address');
    expect(await address.getAttribute('href')).toBe(`${group.checkout_url}?slot=2`);
    await address.click();
    expect(await ana.share(2).isChecked()).toBe(true);

    await ana.take([], 'Ana');
    await ana.heading(/^Pay /).waitFor();
    await page.getByLabel('Name on the card').fill('Ana Example');
    await ana.typeCard(GOOD_CARD);
    await ana.pay();
    await ana.waitUntilHeld();
    await ana.expectGood();
    await invite(page).click();
    await page.getByText('1 of 3 shares is in').waitFor();
    await page.getByRole('link', { name: 'Back to the bill' }).click();
    await ana.waitUntilHeld();
  },
  TEST_MS,
);

it(
  'the page to invite friends is good in the dark, from right to left, with large text, on a desktop, on paper, by keyboard, and in the reader’s time zone (Q100)',
  async () => {
    const group = await newGroup(api(), 4);
    const dark = await browser.visit('phone', { colorScheme: 'dark' });
    await dark.page.goto(`${group.checkout_url}/friends?lang=ar`);
    await payerPage(dark).expectGood();
    await dark.screenshot('checkout-friends-ar-dark');
    await dark.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await payerPage(dark).expectGood();
    await dark.screenshot('checkout-friends-ar-large');

    const desktop = await browser.visit('desktop', { timezoneId: 'Asia/Kolkata' });
    const { page } = desktop;
    await page.goto(`${group.checkout_url}/friends?slot=3`);
    await page.getByText(/ until .* GMT\+5:30$/).waitFor();
    await payerPage(desktop).expectGood();
    await desktop.screenshot('checkout-friends');
    const keys = openKeyboard(page);
    for (const name of [/^WhatsApp$/, /^E-mail$/, /^A link for one share$/, /^Back to the bill$/])
      await keys.to(name);
    await keys.press('Enter');
    await page.getByRole('checkbox', { name: /^Share 1\b/ }).waitFor();

    await page.goto(`${group.checkout_url}/friends`);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await page.getByText('WhatsApp').isVisible()).toBe(false);
    await desktop.screenshot('checkout-friends-print');
  },
  TEST_MS,
);

it(
  'the first screen of a small phone has every way to send the link, before the code and in the order of the keyboard, and nothing moves while the page loads (Q100)',
  async () => {
    const group = await newGroup(api(), 3);
    const visitor = await browser.visit('phone', { viewport: { width: 360, height: 640 } });
    const { page } = visitor;
    await watchShifts(page);
    await page.addInitScript(() => Object.assign(navigator, { share: async () => undefined }));
    await page.goto(`${group.checkout_url}/friends`);
    const ways = [
      page.getByRole('button', { name: 'Send the link' }),
      page.getByRole('button', { name: 'Copy the link' }),
      page.getByRole('link', { name: 'WhatsApp' }),
      page.getByRole('link', { name: 'E-mail' }),
    ];
    const keys = openKeyboard(page);
    for (const way of ways) {
      await way.waitFor();
      const { y = 0, height = 0 } = (await way.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(640);
      await keys.press('Tab');
      await way.and(page.locator(':focus')).waitFor();
    }
    const [code, last] = [await page.locator('.qr').boundingBox(), await ways[3]?.boundingBox()];
    expect(code?.y).toBeGreaterThan((last?.y ?? Infinity) + (last?.height ?? 0));
    expect(await page.evaluate(() => window.shifts)).toBeLessThanOrEqual(0.02);
    await payerPage(visitor).expectGood();
    await visitor.screenshot('checkout-friends-small');
  },
  TEST_MS,
);

it(
  'without a script the page to invite friends has the code, WhatsApp and e-mail, and no button that does nothing (Q100)',
  async () => {
    const group = await newGroup(api(), 2);
    const visitor = await browser.visit('phone', { javaScriptEnabled: false });
    // The browser requests scripts that it does not run, and the page's policy blocks them.
    visitor.expects(/(?:mount|friends|en)-.*csp/);
    const { page } = visitor;
    await page.goto(group.checkout_url);
    await invite(page).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await page.getByText(/ until .* UTC$/).waitFor();
    await page.getByRole('link', { name: 'WhatsApp' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await visitor.screenshot('checkout-friends-no-script');
  },
  TEST_MS,
);

it(
  'a visitor who only looks fetches no file of later steps, and the first touch fetches them (Q101)',
  async () => {
    const group = await newGroup(api(), 2);
    const visitor = await browser.visit('phone');
    const bill = await openBill(visitor, group);
    await bill.share(1).waitFor();
    // The page saves its state as soon as it runs.
    await bill.page.waitForFunction(() => sessionStorage.length > 0);
    expect(await listLater(visitor.page)).toEqual([]);
    await bill.share(1).check();
    await bill.page.waitForFunction(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => /\/(?:steps|later-)/.test(name))
          .length === 2,
    );
  },
  TEST_MS,
);
