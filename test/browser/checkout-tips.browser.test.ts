import { expect, it } from '@jest/globals';
import { newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { GOOD_CARD, openBill } from './payer-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_b'] });

it(
  'a bill that takes tips offers some and another amount, states the sum before the payment, and tells the payer afterwards what was paid (Q96)',
  async () => {
    const api = openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));
    const group = await newGroup(api, 2, { tips: { max_amount: 3 } });
    const phone = await browser.visit('phone');
    const ana = await openBill(phone, group);
    const { page } = ana;
    await page.getByText('Add a tip?').waitFor();
    await page.getByRole('checkbox', { name: 'Share 1' }).check();
    await ana.expectGood();
    expect(await page.locator('.tips label').allTextContents()).toEqual([
      'No tip',
      '€0.50',
      '€1.00',
      '€1.50',
      'Another amount',
    ]);
    await page.getByLabel('€1.00').check();
    await page.getByRole('button', { name: 'Continue with €11.00' }).waitFor();
    await page.getByRole('radio', { name: 'Another amount' }).check();
    await page.getByRole('textbox', { name: 'Another amount' }).fill('3,01');
    await page.getByLabel('E-mail').fill('ana@payers.example');
    const goOn = page.getByRole('button', { name: 'Continue with €10.00' });
    for (const [typed, reason] of [
      ['3,01', 'At most €3.00'],
      ['two', 'This tip cannot be paid. Please choose another amount.'],
      ['', 'This tip cannot be paid. Please choose another amount.'],
    ] as const) {
      await page.locator('#tip').fill(typed);
      await goOn.click();
      await page.locator('#tip-fault', { hasText: reason }).waitFor();
      await page.locator('#tip:focus[aria-invalid="true"]').waitFor();
    }
    await ana.expectGood();
    await phone.screenshot('checkout-tip-refused');
    await page.locator('#tip').fill('2,50');
    await phone.screenshot('checkout-tip');
    await ana.take([1], 'ana');
    await ana.heading('Pay €12.50').waitFor();
    await page.getByLabel('Name on the card').fill('Ana Example');
    await ana.typeCard(GOOD_CARD);
    await page.getByText('Including a tip of €2.50').waitFor();
    await page.getByRole('button', { name: 'Pay €12.50' }).waitFor();
    await ana.expectGood();
    await ana.pay();
    await ana.waitUntilHeld();
    await page.getByText(/€12\.50 is held on your card/).waitFor();
    const { payments } = await api.client.listPayments(group.group_payment.id);
    expect(payments).toMatchObject([{ amount: 12.5, tip: 2.5 }]);
  },
  TEST_MS,
);

it(
  'the choices of a tip grow with the text, and are never smaller than a finger needs',
  async () => {
    const api = openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));
    const group = await newGroup(api, 2, { tips: { max_amount: 3 } });
    const phone = await browser.visit('phone');
    const { page, expectGood } = await openBill(phone, group);
    const radio = page.getByRole('radio', { name: 'No tip' });
    const measure = async () => (await radio.boundingBox())?.width ?? 0;
    expect(await measure()).toBe(20);
    const label = await page.locator('.tips label').first().boundingBox();
    expect(label?.height).toBeGreaterThanOrEqual(44);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    expect(await measure()).toBe(40);
    await expectGood();
    await phone.screenshot('checkout-tips-large');
  },
  TEST_MS,
);
