import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Group } from '../support/api.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { openMailStack, type MailStack } from '../support/mail-stack.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { GOOD_CARD, openBill, payerPage } from './payer-page.ts';
import { organiserPage } from './organiser-page.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser } from './support.ts';

const TEST_MS = 200_000;
const ALL = ['remind', 'extend', 'cancel'];

let mails: MailStack;
let merchant: Merchant;
let browser: TestBrowser;

beforeAll(async () => {
  mails = await openMailStack();
  merchant = findMerchant(mails.own.stack, 'gateway_b');
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser?.dismiss());
afterAll(async () => {
  await browser?.close();
  await mails?.close();
});

const api = () => openApi(mails.own.stack, merchant);
const openGroup = (may: readonly string[], slots = 3): Promise<Group> =>
  newGroup(api(), slots, {
    group_name: 'Dinner at Casa Lola',
    distribution: {
      type: 'equally',
      number_of_slots: slots,
      slot_labels: ['Starter and wine', ...Array.from({ length: slots - 1 }, () => null)],
    },
    organiser: { may },
  });
const open = async (group: Group, options: Parameters<TestBrowser['visit']>[1] = {}) => {
  const visitor = await browser.visit('phone', options);
  return organiserPage(visitor, group);
};

describe('an organiser', () => {
  it(
    'the organiser sees who is missing as it changes, reminds a payer who has begun, extends, and the payer finishes (Q86, Q87)',
    async () => {
      await mails.switchMails(merchant, true);
      const group = await openGroup(ALL);
      const organiser = await open(group);
      await organiser.heading('3 shares are still missing.').waitFor();
      await organiser.row(1).getByText('Starter and wine', { exact: true }).waitFor();
      await organiser.row(1).getByText('Available').waitFor();
      expect(await organiser.button(/by mail/).count()).toBe(0);
      await organiser.expectGood();
      await organiser.visitor.screenshot('organiser-open');

      const ana = await openBill(await browser.visit('phone'), group);
      await ana.take([1], 'ana');
      await ana.heading(/^Pay /).waitFor();
      await organiser.row(1).getByText('Somebody is paying now').waitFor();
      // Who may be reminded comes without a reload.
      await organiser.button('Remind 1 person by mail').click();
      await organiser.page.locator('.told:focus').filter({ hasText: '1 person gets a mail.' }).waitFor();
      await organiser.expectGood();
      await organiser.visitor.screenshot('organiser-reminded');
      await organiser.button('1 hour more').click();
      await organiser.page.getByText(/^The bill is now open until/).waitFor();
      // The last button goes with the last choice: what became of it takes the focus.
      await organiser.button(/^Until /).click();
      await organiser.page.getByText('The time cannot be extended any more.').waitFor();
      await organiser.page.locator('.told:focus').filter({ hasText: 'The bill is now open until' }).waitFor();

      const { mail } = await eventually(() => mails.mailsTo('ana@payers.example')[0]);
      const reader = await browser.visit('phone');
      await reader.page.setContent(mail.html ?? '');
      await reader.page.getByText('Whoever organises this bill asks you to pay your share.').waitFor();
      await reader.screenshot('organiser-mail');
      const link = (await reader.page.getByRole('link').first().getAttribute('href')) ?? '';
      await reader.page.goto(link);
      await reader.expectAccessible();
      await reader.screenshot('organiser-mail-page');
      await reader.page.getByRole('link', { name: 'Continue to the payment' }).click();
      await reader.page.getByRole('heading', { name: 'Dinner at Casa Lola' }).waitFor();

      await ana.typeCard(GOOD_CARD);
      await ana.page.getByLabel('Name on the card').fill('Ana Example');
      await ana.pay();
      await ana.waitUntilHeld();
      await organiser.row(1).getByText('In: held', { exact: true }).waitFor();
      await organiser.heading('2 shares are still missing.').waitFor();
      expect(await organiser.page.content()).not.toMatch(/ana@payers|Ana Example/);
    },
    TEST_MS,
  );

  it(
    'the organiser pays what is left: the payers’ page opens with every available share chosen',
    async () => {
      const group = await openGroup([]);
      const organiser = await open(group);
      for (const name of [/by mail/, /more$/, 'Call it off'])
        expect(await organiser.button(name).count()).toBe(0);
      await organiser.page.getByRole('link', { name: 'Pay what is left: €30.00' }).click();
      const payer = payerPage(organiser.visitor);
      await payer.button('Continue with €30.00').waitFor();
      for (const number of [1, 2, 3]) expect(await payer.share(number).isChecked()).toBe(true);
    },
    TEST_MS,
  );

  it(
    'the organiser comes back from the page to invite friends, whose link gives the organiser’s address to nobody, and a payer to the bill',
    async () => {
      const group = await openGroup([]);
      const organiser = await open(group);
      const { page } = organiser;
      const back = page.getByRole('link', { name: 'Back to the bill' });
      await page.getByRole('link', { name: 'Invite friends' }).click();
      await page.getByText('A link for one share').click();
      await page.getByRole('link', { name: 'Share 2' }).click();
      await page.getByText(/^Share 2 · /).waitFor();
      expect(await page.content()).not.toContain(organiser.token);
      await back.click();
      await page.getByText('You organise this bill').waitFor();
      expect(page.url()).toBe(organiser.url);
      const payer = await openBill(await browser.visit('phone'), group);
      await payer.page.getByRole('link', { name: 'Invite friends' }).click();
      await payer.page.getByRole('link', { name: 'Back to the bill' }).click();
      await payer.heading('Choose your share').waitFor();
    },
    TEST_MS,
  );

  it(
    'the note about an action that failed goes once the server is back',
    async () => {
      const organiser = await open(await openGroup(ALL));
      const { page, visitor } = organiser;
      visitor.expects(/ERR_INTERNET_DISCONNECTED/);
      await page.context().setOffline(true);
      await organiser.button('1 hour more').click();
      const failed = page.getByText('That did not work. Please try again.');
      await failed.waitFor();
      await page.getByText(/What you see may be out of date/).waitFor();
      await failed.waitFor();
      await page.context().setOffline(false);
      await failed.waitFor({ state: 'detached' });
      await organiser.button('1 hour more').click();
      await page.getByText(/^The bill is now open until/).waitFor();
    },
    TEST_MS,
  );

  it(
    'the organiser calls the bill off after a question, and every page shows the end (Q86)',
    async () => {
      const group = await openGroup(ALL);
      const organiser = await open(group);
      const payer = await openBill(await browser.visit('phone'), group);
      await organiser.button('Call it off').click();
      await organiser.heading('Call this bill off?').waitFor();
      await organiser.page.getByText('Every hold is released and nobody is charged.').waitFor();
      await organiser.expectGood();
      await organiser.visitor.screenshot('organiser-asked');
      await organiser.button('No, keep it open').click();
      await organiser.button('Call it off').click();
      await organiser.button('Yes, call it off').click();
      await organiser.heading('This bill was cancelled').waitFor();
      await organiser.expectGood();
      await organiser.visitor.screenshot('organiser-cancelled');
      await payer.heading('This bill was cancelled').waitFor();
      expect((await api().findGroup(group.group_payment.id)).group_payment.state).toBe('cancelled');
      await organiser.page.reload();
      await organiser.heading('This bill was cancelled').waitFor();
    },
    TEST_MS,
  );

  it.each([
    ['ar', 'rtl', 'dark', /^الحصص المتبقية: \u2068?3/],
    ['de', 'ltr', 'dark', /^Es fehlen noch 3 Anteile/],
    ['fr', 'ltr', 'light', /^Il manque 3 parts/],
  ] as const)(
    'the page reads well on a phone in the language %s (%s, %s)',
    async (lang, dir, colorScheme, heading) => {
      const organiser = await open(await openGroup(ALL), { colorScheme });
      await organiser.page.goto(`${organiser.url}?lang=${lang}`);
      await organiser.heading(heading).waitFor();
      expect(await organiser.page.locator('html').getAttribute('dir')).toBe(dir);
      await organiser.expectGood();
      await organiser.visitor.screenshot(`organiser-${lang}`);
    },
    TEST_MS,
  );

  it(
    'a link that the merchant replaces ends the open page, and the token is in no log line (Q86)',
    async () => {
      const group = await openGroup(ALL);
      const organiser = await open(group);
      await organiser.heading('3 shares are still missing.').waitFor();
      organiser.visitor.expects(/404/);
      const { id } = group.group_payment;
      await fetch(`${mails.own.stack.api}/v1/group-payments/${id}/roll-organiser-link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.test_key}`, 'idempotency-key': id },
      });
      await organiser.heading('This page does not exist').waitFor();
      const payer = await openBill(await browser.visit('phone'), group);
      await payer.heading('Choose your share').waitFor();
      expect(await payer.page.content()).not.toContain(organiser.token);
      const log = await readFile(join(mails.own.dataDir, 'services.log'), 'utf8');
      expect(log).toContain(id);
      expect(log).not.toContain(organiser.token);
    },
    TEST_MS,
  );
});
