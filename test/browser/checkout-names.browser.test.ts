import { expect, it } from '@jest/globals';
import { newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { organiserPage } from './organiser-page.ts';
import { GOOD_CARD, openBill, payerPage, type PayerPage } from './payer-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 200_000;
const BOX = 'Show my name to the others';

const { shared, browser } = useBrowser({ merchants: ['gateway_b'] });

const api = () => openApi(shared.stack, findMerchant(shared.stack, 'gateway_b'));
/** Pays the share that the payer has taken. */
async function payTaken(payer: PayerPage): Promise<void> {
  await payer.heading(/^Pay /).waitFor();
  await payer.page.getByLabel('Name on the card').fill('Somebody Else');
  await payer.typeCard(GOOD_CARD);
  await payer.pay();
  await payer.waitUntilHeld();
}

it(
  'a payer who agrees is named at the share to everybody with the link from the hold on, one who does not is not, and the name goes when it is taken back (Q97, Q98, Q99)',
  async () => {
    const group = await newGroup(api(), 3, { organiser: { may: [] } });
    const phone = await browser.visit('phone');
    const desktop = await browser.visit('desktop');
    const ana = await openBill(phone, group);
    const ben = await openBill(desktop, group);
    const organiser = await organiserPage(await browser.visit('phone'), group);
    const box = ana.page.getByLabel(BOX);

    // Without a name there is nothing to agree to.
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true]);
    await ana.page.getByLabel(/^Name \(/).fill('Ana');
    await box.check();
    await ana.page.getByLabel(/^Name \(/).fill(' ');
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true]);
    // A copy brings characters that nobody sees.
    await ana.page.getByLabel(/^Name \(/).fill('\u200b');
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true]);
    await ana.page.getByLabel(/^Name \(/).fill('Ana');
    await box.check();
    await ana.expectGood();
    await phone.screenshot('checkout-name-box');

    await ana.take([1], 'Ana');
    await ben.state(1).getByText('Being paid').waitFor();
    expect(await ben.page.content()).not.toContain('Ana Example');
    await payTaken(ana);
    await ben.state(1).getByText('Ana Example').waitFor();
    await organiser.row(1).getByText('Ana Example').waitFor();
    await organiser.expectGood();
    await organiser.visitor.screenshot('organiser-name');

    await ben.take([2], 'Ben');
    await payTaken(ben);
    await ana.state(2).getByText('Held').waitFor();
    await ana.state(1).getByText('Ana Example').waitFor();
    expect(await ana.page.content()).not.toMatch(/Ben|Somebody Else/);
    await ana.expectGood();
    await phone.screenshot('checkout-name-shown');
    await desktop.screenshot('checkout-name-seen');

    // A further payment is asked anew.
    await ana.button('Pay another share').click();
    expect(await ana.page.getByLabel(BOX).isChecked()).toBe(false);
    await ana.button('No, leave it at that').click();
    await ana.waitUntilHeld();
    // A reload keeps the name at the share, and the box to take it back.
    await ana.page.reload();
    await ana.state(1).getByText('Ana Example').waitFor();
    // The box goes with the name, so its state cannot be asked afterwards.
    await ana.page.getByLabel(BOX).click();
    await ben.state(1).getByText('Ana Example').waitFor({ state: 'detached' });
    await organiser.row(1).getByText('Ana Example').waitFor({ state: 'detached' });
    await ana.page.getByLabel(BOX).waitFor({ state: 'detached' });
    // The box that had the focus is gone with the name.
    await ana.heading('You are in').and(ana.page.locator(':focus')).waitFor();
    expect((await api().client.listPayments(group.group_payment.id)).payments).not.toContainEqual(
      expect.objectContaining({ shown_name: expect.anything() }),
    );
  },
  TEST_MS,
);

it(
  'a long name in another script keeps its direction, breaks no page of large text, and is in no preview of the link (Q97)',
  async () => {
    const { client } = api();
    const group = await newGroup(api(), 2);
    const long = 'Wolfeschlegelsteinhausenbergerdorff Adolph Blaine';
    const [first, second] = group.payment_slots.map(({ id }) => id);
    for (const [slot, customer_name] of [
      [first, long],
      [second, 'نرگس‌سادات محمدی'],
    ] as const)
      await client.createTestPayment(group.group_payment.id, {
        customer_email: 'ana@payers.example',
        customer_name,
        show_name: true,
        slot_ids: [slot ?? ''],
      });
    for (const lang of ['ar', 'de']) {
      const visitor = await browser.visit('phone');
      const { page } = visitor;
      await page.goto(`${group.checkout_url}?lang=${lang}`);
      const preview = await page.locator('meta[property="og:description"], meta[name="description"]').all();
      for (const each of preview) expect(await each.getAttribute('content')).not.toMatch(/Wolfe|نرگس/);
      expect(await page.title()).not.toMatch(/Wolfe|نرگس/);
      await page.getByText('Wolfeschlegelsteinhausenbergerdorff Ado…').waitFor();
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await payerPage(visitor).expectGood();
      await visitor.screenshot(`checkout-name-large-${lang}`);
    }
  },
  TEST_MS,
);
