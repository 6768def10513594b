import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { newGroup, openApi } from '../support/journey.ts';
import { openMailStack, type MailStack } from '../support/mail-stack.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { cardFields, GOOD_CARD } from './payer-page.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser, type Visitor } from './support.ts';

const TEST_MS = 150_000;

let mails: MailStack;
let own: OwnStack;
let merchant: Merchant;
let browser: TestBrowser;

beforeAll(async () => {
  mails = await openMailStack();
  own = mails.own;
  merchant = findMerchant(own.stack, 'gateway_b');
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser?.dismiss());
afterAll(async () => {
  await browser?.close();
  await mails?.close();
});

const findOverflow = ({ page }: Visitor): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('a payer with an address', () => {
  it.each([
    ['es', 'ltr', 'light', 'GMT+9', 'Tu pago', 'Dejar de recibir correos', 'Ya no recibes correos'],
    ['ar', 'rtl', 'dark', 'غرينتش+9', 'دفعتك', 'إيقاف هذه الرسائل', 'لن تصلك'],
  ] as const)(
    'a payer gets the mail in the language of the page (%s) with times of the browser’s zone, reads it on a phone, opens the payment and ends the mails (Q77, Q79, Q105)',
    async (locale, dir, colorScheme, zone, title, stop, stopped) => {
      await mails.switchMails(merchant, true);
      const group = await newGroup(openApi(own.stack, merchant), 2, { group_name: 'Cena en Casa Lola' });
      const email = `${locale}@payers.example`;
      const visitor = await browser.visit('phone', {
        locale: 'en-GB',
        colorScheme,
        timezoneId: 'Asia/Tokyo',
      });
      const { page } = visitor;
      await page.goto(`${group.checkout_url}?lang=${locale}`);
      await page.getByRole('checkbox').first().check();
      await page.locator('input[type="email"]').fill(email);
      await page.locator('.primary').click();
      await page.locator('.card-ready').waitFor();
      const holder = page.locator('input[autocomplete="cc-name"]');
      if ((await holder.count()) > 0) await holder.fill('Ada Example');
      const fields = cardFields(page);
      await fields.locator('input').nth(0).fill(GOOD_CARD);
      await fields.locator('input').nth(1).fill('12 / 34');
      await fields.locator('input').nth(2).fill('123');
      await page.locator('.primary').click();
      const { mail } = await eventually(() => mails.mailsTo(email)[0]);
      expect(mail.text).toContain(zone);

      const reader = await browser.visit('phone', { colorScheme });
      await reader.page.setContent(mail.html ?? '');
      expect(await reader.page.locator('html').getAttribute('dir')).toBe(dir);
      expect(await findOverflow(reader)).toBe(0);
      await reader.expectAccessible();
      await reader.screenshot(`payer-mail-${locale}`);
      const link = (await reader.page.getByRole('link').first().getAttribute('href')) ?? '';
      await reader.page.goto(link);
      await reader.page.getByRole('heading', { name: title }).waitFor();
      expect(await findOverflow(reader)).toBe(0);
      await reader.expectAccessible();
      await reader.screenshot(`payer-mail-page-${locale}`);
      await reader.page.getByRole('button', { name: stop }).click();
      await reader.page.getByText(stopped).waitFor();
      await reader.expectAccessible();
      await reader.screenshot(`payer-mail-stopped-${locale}`);
      await reader.page.goto(link);
      await reader.page.getByText(stopped).waitFor();
    },
    TEST_MS,
  );
});
