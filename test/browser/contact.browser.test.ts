import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Locator, Page } from 'playwright-core';
import { GOOD_CARD, openBill } from './payer-page.ts';
import { useDashboard } from './use-browser.ts';

const TEST_MS = 150_000;

const fixture = useDashboard();

/** The links with which a payer asks the merchant, as the page has them. */
const readContacts = (page: Page): Promise<(string | null)[][]> =>
  page
    .locator('.contact a')
    .evaluateAll((links) =>
      links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
    );

const readColor = (element: Locator): Promise<string> =>
  element.evaluate((node) => getComputedStyle(node).color);

const EXPECTED = [
  ['hello@casalola.example', 'mailto:hello@casalola.example', 'noopener noreferrer'],
  ['casalola.example/help', 'https://casalola.example/help', 'noopener noreferrer'],
];

describe('whom payers may ask', () => {
  it(
    'a merchant names whom payers may ask, and payers read it after paying and when the bill has ended, in their language (Q110)',
    async () => {
      const owner = await fixture.openAt('/test/branding', 'phone');
      const email = owner.page.getByLabel('E-mail for questions');
      const help = owner.page.getByRole('textbox', { name: 'Help page' });
      const save = owner.page.getByRole('button', { name: 'Save contact' });
      await email.fill('hello@casalola.example');
      await help.fill('https://localhost/help');
      owner.expects(/400/);
      await save.click();
      await owner.page.getByText('Must be on a host that payers reach', { exact: true }).waitFor();
      await help.fill('https://casalola.example/help');
      await save.click();
      await eventually(async () => (await save.isDisabled()) || undefined);
      await owner.expectAccessible();
      await owner.screenshot('dashboard-contact');

      const group = await fixture.newGroup('Dinner at Casa Lola');
      await eventually(
        async () => (await (await fetch(group.checkout_url)).text()).includes('"support":{') || undefined,
      );
      const phone = await fixture.browser.visit('phone');
      const ana = await openBill(phone, group);
      await ana.heading('Dinner at Casa Lola').waitFor();
      expect(await readContacts(ana.page)).toEqual([]);
      await ana.take([1], 'ana');
      await ana.typeCard(GOOD_CARD);
      await ana.pay();
      await ana.waitUntilHeld();
      await ana.page.getByText('Questions? Contact').waitFor();
      expect(await readContacts(ana.page)).toEqual(EXPECTED);
      expect(await readColor(ana.page.locator('.contact a').first())).toBe(
        await readColor(ana.button('Print or save')),
      );
      await ana.expectGood();
      await phone.screenshot('checkout-contact');

      await fixture.pay(group, 'ben@example.com', [1, 2]);
      await ana.heading('All paid. Thank you!').waitFor();
      expect(await readContacts(ana.page)).toEqual(EXPECTED);
      const late = await fixture.browser.visit('phone', { colorScheme: 'dark' });
      await late.page.goto(`${group.checkout_url}?lang=ar`);
      await late.page.getByText('لديك سؤال؟ للتواصل:').waitFor();
      expect(await readContacts(late.page)).toEqual(EXPECTED);
      await late.expectAccessible();
      await late.screenshot('checkout-contact-ar');
    },
    TEST_MS,
  );
});
