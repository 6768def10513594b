import { expect, it } from '@jest/globals';
import type { MerchantApi } from '../support/api.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { answerBank, GOOD_CARD, openBill, OTHER_CARDS, payerPage, type PayerPage } from './payer-page.ts';
import { book, findForm } from './shop-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 200_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_b'] });

const api = (): MerchantApi => openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));

async function sendCard(payer: PayerPage, card: string): Promise<void> {
  await payer.page.getByLabel('Name on the card').fill('Ana Example');
  await payer.typeCard(card);
  await payer.pay();
}

it(
  'a payer who has the link open in two tabs and pays in one reads it in the other, and is asked there before paying more',
  async () => {
    const group = await newGroup(api(), 3);
    const visitor = await browser.visit('phone');
    const one = await openBill(visitor, group);
    const second = await one.page.context().newPage();
    await second.goto(group.checkout_url);
    const two = payerPage({ ...visitor, page: second });
    await two.share(2).check();
    await one.take([1], 'ana');
    await sendCard(one, GOOD_CARD);
    await one.waitUntilHeld();

    await two.waitUntilHeld();
    await two.state(1).getByText('Yours').waitFor();
    await two.button('Pay another share').click();
    await two.share(2).check();
    await second.getByLabel('E-mail').fill('ana@payers.example');
    await two.button('Continue with €10.00').click();
    await two.heading('Pay once more?').waitFor();
  },
  TEST_MS,
);

it(
  'a payer who comes back from the bank too early is led to its page again without typing the card, and may give the share up for another',
  async () => {
    const group = await newGroup(api(), 3);
    const visitor = await browser.visit('phone');
    const ana = await openBill(visitor, group);
    await ana.take([1], 'ana');
    await sendCard(ana, OTHER_CARDS.challenged);
    const refuse = ana.page.locator('button[value="failed"]');
    await refuse.waitFor();
    await ana.page.goBack();
    await ana.button('Change shares').click();
    await ana.share(1).uncheck();
    await ana.share(2).check();
    await ana.button('Continue with €10.00').waitFor();

    await ana.page.goForward();
    await answerBank(ana.page, false);
    await ana.alertWith(/could not verify that it was you/).waitFor();
    await ana.button('Continue with €10.00').click();
    await sendCard(ana, OTHER_CARDS.challenged);
    await refuse.waitFor();
    await ana.page.goBack();
    await ana.page.getByText(/^Your bank has not confirmed the payment yet/).waitFor();
    await visitor.screenshot('checkout-back-from-the-bank');
    await ana.button('Back to the bank').click();
    await answerBank(ana.page, true);
    await ana.waitUntilHeld();
  },
  TEST_MS,
);

it(
  'a payer who closed the tab before the card was typed opens the link again and goes on with the reserved share (Q115)',
  async () => {
    const group = await newGroup(api(), 1);
    const visitor = await browser.visit('phone');
    const first = await openBill(visitor, group);
    await first.page.getByLabel('E-mail').fill('ana@payers.example');
    await first.button('Continue with €10.00').click();
    await first.cardIsThere();
    const page = await first.page.context().newPage();
    await first.page.close();
    await page.goto(group.checkout_url);
    const again = payerPage({ ...visitor, page });
    await again.state(1).getByText('Yours').waitFor();
    await sendCard(again, GOOD_CARD);
    await again.heading('All paid. Thank you!').waitFor();
    expect((await api().client.listPayments(group.group_payment.id)).payments).toHaveLength(1);
  },
  TEST_MS,
);

it(
  'the share of a payer who left the page of the bank stays theirs and can be paid, after "Change shares" and after a reload (Q115)',
  async () => {
    const group = await newGroup(api(), 1);
    const visitor = await browser.visit('phone');
    const ana = await openBill(visitor, group);
    await ana.page.getByLabel('E-mail').fill('ana@payers.example');
    await ana.button('Continue with €10.00').click();
    await sendCard(ana, OTHER_CARDS.challenged);
    await ana.page.locator('button[value="failed"]').waitFor();
    await ana.page.goBack();
    await ana.button('Change shares').click();
    await ana.state(1).getByText('Yours').waitFor();
    expect(await ana.page.getByText(/^Every share is taken/).count()).toBe(0);
    await visitor.screenshot('checkout-left-the-bank');
    await ana.page.reload();
    await ana.state(1).getByText('Yours').waitFor();
    await ana.button('Change shares').click();
    await ana.button('Continue with €10.00').click();
    // The gateway still asks for the first card's answer.
    await sendCard(ana, OTHER_CARDS.challenged);
    await answerBank(ana.page, true);
    await ana.heading('All paid. Thank you!').waitFor();
    expect((await api().client.listPayments(group.group_payment.id)).payments).toHaveLength(1);
  },
  TEST_MS,
);

it(
  'a declined card is told in one note, and not also that a reservation has ended',
  async () => {
    const group = await newGroup(api(), 3);
    const visitor = await browser.visit('phone');
    visitor.expects(/400/);
    const ana = await openBill(visitor, group);
    await ana.take([1], 'ana');
    await ana.page.locator('.reservation').getByText('Reserved for you').waitFor();
    await sendCard(ana, OTHER_CARDS.withoutFunds);
    await ana.alertWith('There is not enough money on this card.').waitFor();
    // It is available to the others as well, and still this payer's choice.
    await ana.state(1).getByText('Chosen').waitFor();
    await ana.state(2).getByText('Available').waitFor();
    expect(await ana.page.locator('.reservation').count()).toBe(0);
    await visitor.screenshot('checkout-declined-once');
    // Without the reason on the page, the note says how it stands with the share.
    await ana.button('Close').click();
    await ana.page.getByText(/^Your reservation has ended/).waitFor();
  },
  TEST_MS,
);

it(
  'where the browser has neither a menu to share nor a clipboard, the button leads to the page to invite friends, which selects the link',
  async () => {
    const group = await newGroup(api(), 3, { organiser: { may: [] } });
    const visitor = await browser.visit('phone');
    const { page } = visitor;
    await page.addInitScript(() => {
      const refuse = (): Promise<void> => Promise.reject(new DOMException('', 'NotAllowedError'));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } });
    });
    await page.goto(group.organiser_url ?? '');
    await page.getByRole('button', { name: 'Send the link Share 2' }).click();
    await page.getByText(/^Share 2 · /).waitFor();
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await expect(page.evaluate(() => getSelection()?.toString())).resolves.toBe(
      `${group.checkout_url}?slot=2`,
    );
  },
  TEST_MS,
);

it(
  'an e-mail address that is none or is missing has its reason beside it, in the size of the page and until it is mended',
  async () => {
    const group = await newGroup(api(), 3);
    const ana = await openBill(await browser.visit('phone'), group);
    const email = ana.page.getByLabel('E-mail');
    await ana.share(1).check();
    for (const typed of ['', 'ana@payers,example']) {
      await email.fill(typed);
      await ana.button('Continue with €10.00').click();
      await ana.alertWith(/check the e-mail address/).waitFor();
      await email.and(ana.page.locator(':focus')).waitFor();
      expect(await email.getAttribute('aria-invalid')).toBe('true');
    }
    await ana.expectGood();
    await email.fill('ana@payers.example');
    await ana.alertWith(/check the e-mail address/).waitFor({ state: 'detached' });
    await ana.button('Continue with €10.00').click();
    await ana.heading('Pay €10.00').waitFor();
  },
  TEST_MS,
);

it(
  'a payer who has paid in the widget is offered the page to invite friends, in a tab of its own',
  async () => {
    // Other files share the shop, and leave it at the gateway that they needed last.
    await switchGateway(shared.stack, shared.shopkeeper, 'gateway_b');
    const { page } = await browser.visit('phone');
    await book(page, shared.stack.shop, 'script');
    const ana = findForm(page);
    await ana.choose(1, 'ana');
    await ana.goOn.click();
    await ana.form.getByLabel('Name on the card').fill('Ana Example');
    const card = ana.form.frameLocator('.card-place iframe');
    await card.getByLabel('Card number').fill(GOOD_CARD);
    await card.getByLabel('Expiry date').fill('12 / 34');
    await card.getByLabel('Security code').fill('123');
    await ana.pay.click();
    await ana.heading('You are in').waitFor();
    const invite = ana.form.locator('.outcome').getByRole('link', { name: 'Invite friends' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), invite.click()]);
    await tab.getByRole('heading', { name: 'Invite friends' }).waitFor();
  },
  TEST_MS,
);
