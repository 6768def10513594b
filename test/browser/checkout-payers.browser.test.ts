import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Locator, Page } from 'playwright-core';
import type { MerchantApi } from '../support/api.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import {
  cardFields,
  GOOD_CARD,
  openBill,
  OTHER_CARDS,
  payAtTheBank,
  payerPage,
  type PayerPage,
} from './payer-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_a', 'gateway_b', 'gateway_c', null] });

const merchant = (gateway: string | null): MerchantApi =>
  openApi(shared.stack, findMerchant(shared.stack, gateway));

/** Returns the words of a page, none of them longer than an amount, that are on two lines. */
const findBrokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}€.,:’]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1 && word.length <= 12) broken.push(word);
      }
    return broken;
  });

async function payShare(payer: PayerPage, share: number, name: string): Promise<void> {
  await payer.take([share], name);
  await payer.page.getByLabel('Name on the card').fill(`${name} Example`);
  await payer.typeCard(GOOD_CARD);
  await payer.pay();
  await payer.waitUntilHeld();
}

/** The id of the only payment that the device remembers. */
const readOwnPayment = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const [text = '{}'] = Object.values(localStorage) as string[];
    return (JSON.parse(text) as { made?: { intentId: string }[] }).made?.[0]?.intentId;
  });

/** Whether an element is inside of what the screen shows, above the bar at the bottom. */
const isSeen = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { top, bottom, left } = node.getBoundingClientRect();
    const bar = document.querySelector('.action')?.getBoundingClientRect().top ?? innerHeight;
    const isCovered = !node.closest('.action') && bottom > bar && bar < innerHeight;
    return top >= 0 && left >= 0 && bottom <= innerHeight && !isCovered;
  });

describe('a payer who comes back to the link', () => {
  it(
    'a payer whose tab was closed is known on the device, and is asked before a second payment',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 3);
      const visitor = await browser.visit('phone');
      const ana = await openBill(visitor, group);
      await payShare(ana, 1, 'ana');
      const context = ana.page.context();
      await ana.page.close();

      const page = await context.newPage();
      await page.goto(group.checkout_url);
      const again = payerPage({ ...visitor, page });
      await again.waitUntilHeld();
      await again.state(1).getByText('Yours').waitFor();
      await again.button('Pay another share').click();
      await again.share(2).check();
      expect(await page.getByLabel('E-mail').inputValue()).toBe('ana@payers.example');
      await again.button('Continue with €10.00').click();
      // The page shows it first, and then moves the focus and the screen to it.
      await again.heading('Pay once more?').and(page.locator(':focus')).waitFor();
      expect(await isSeen(again.heading('Pay once more?'))).toBe(true);
      await again.button('No, leave it at that').click();
      await again.waitUntilHeld();
      expect((await api.findGroup(group.group_payment.id)).payment_slots.map(({ state }) => state)).toEqual([
        'preauthorised',
        'unassigned',
        'unassigned',
      ]);

      // Who pressed it by mistake comes back to the receipt, also with a further payment begun, and after a reload.
      await again.button('Pay another share').click();
      await again.button('No, leave it at that').click();
      await again.waitUntilHeld();
      await again.button('Pay another share').click();
      await again.share(2).check();
      await again.button('Continue with €10.00').click();
      await again.button('Pay another €10.00').click();
      await again.heading('Pay €10.00').waitFor();
      await again.cardIsThere();
      await again.button('Change shares').click();
      await again.button('No, leave it at that').click();
      await again.waitUntilHeld();
      await page.reload();
      await again.waitUntilHeld();

      // Another person with the same device.
      const other = await context.newPage();
      await other.goto(group.checkout_url);
      const notMe = other.getByRole('button', { name: 'This was not me' });
      await notMe.click();
      await other.getByText('You have already paid €10.00 of this bill on this device.').waitFor();
      await other.getByRole('button', { name: 'No, leave it at that' }).click();
      await other.getByRole('heading', { name: 'You are in' }).and(other.locator(':focus')).waitFor();
      await notMe.click();
      await other.getByRole('heading', { name: 'This was not me' }).and(other.locator(':focus')).waitFor();
      await notMe.click();
      await other.getByRole('heading', { name: 'Choose your share' }).waitFor();
      expect(await other.getByLabel('E-mail').inputValue()).toBe('');
      expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'a payer who reloads while the bank asks keeps the share, and is offered another try',
    async () => {
      const group = await newGroup(merchant('gateway_a'), 2);
      const visitor = await browser.visit('phone');
      const kim = await openBill(visitor, group);
      await kim.take([1], 'kim');
      await kim.page.getByLabel('Name on the card').fill('Kim Example');
      await kim.typeCard('4000002760003184');
      await kim.pay();
      await kim.page.getByRole('dialog').waitFor();
      await kim.page.reload();
      await kim.heading('Checking your payment').waitFor();
      await kim.state(1).getByText('Yours').waitFor();
      await kim.button('Try again').waitFor();
    },
    TEST_MS,
  );
});

it(
  'a payer who has paid has a receipt, also in a new tab, and prints it without the controls of the page',
  async () => {
    const api = merchant('gateway_b');
    const { name } = findMerchant(shared.stack, 'gateway_b');
    const group = await newGroup(api, 2, { group_name: 'Dinner' });
    const visitor = await browser.visit('phone');
    const ana = await openBill(visitor, group);
    await payShare(ana, 1, 'ana');
    const { id, merchant_order_id } = group.group_payment;
    const reference = await readOwnPayment(ana.page);
    const lines = (state: string) => [
      `Payment to ${name}`,
      `€10.00 · ${state}`,
      'Dinner · Share 1',
      expect.stringMatching(/^\d\d? \w+ 20\d\d,? (at )?\d\d:\d\d$/),
      `Order ${merchant_order_id}`,
      `Reference ${reference}`,
    ];
    const read = (page: Page) => page.locator('.receipt li').allInnerTexts();
    expect(await read(ana.page)).toEqual(lines('Held'));
    await ana.expectGood();
    await visitor.screenshot('checkout-receipt-held');

    const page = await ana.page.context().newPage();
    await page.goto(group.checkout_url);
    await page.locator('.receipt').waitFor();
    expect(await read(page)).toEqual(lines('Held'));

    const ben = await openBill(await browser.visit('phone'), group);
    await ben.take([2], 'ben');
    await ben.page.getByLabel('Name on the card').fill('Ben Example');
    await ben.typeCard(GOOD_CARD);
    await ben.pay();
    await ana.heading('All paid. Thank you!').waitFor();
    expect(await read(ana.page)).toEqual(lines('Paid'));
    expect((await api.findGroup(id)).group_payment.state).toBe('paid');
    await ana.expectGood();
    await visitor.screenshot('checkout-receipt-paid');

    await ana.page.evaluate(() => {
      window.print = () => void document.body.classList.add('was-printed');
    });
    await ana.button('Print or save').click();
    await ana.page.locator('body.was-printed').waitFor();
    await ana.page.emulateMedia({ media: 'print' });
    await ana.page.locator('.receipt').waitFor();
    for (const hidden of [ana.button('Print or save'), ana.state(1), ana.page.locator('.how')])
      await hidden.waitFor({ state: 'hidden' });
    await visitor.screenshot('checkout-receipt-printed');
  },
  TEST_MS,
);

describe('a declined card', () => {
  const plain = 'Your card was declined. Nothing was charged. Try again, or use another card.';
  const withReason = `There is not enough money on this card. ${plain}`;

  it.each([
    ['gateway_a', /402/],
    ['gateway_b', /400/],
  ])(
    'a payer of %s is told that a card lacks money, and not that it is known as lost',
    async (gateway, refused) => {
      const group = await newGroup(merchant(gateway), 2);
      const visitor = await browser.visit('phone');
      visitor.expects(refused);
      const ana = await openBill(visitor, group);
      await ana.take([1], 'ana');
      await ana.page.getByLabel('Name on the card').fill('Ana Example');
      await ana.typeCard(OTHER_CARDS.withoutFunds);
      await ana.pay();
      await ana.alertWith(withReason).waitFor();
      await ana.expectGood();
      await visitor.screenshot(`checkout-no-funds-${gateway}`);
      await ana.typeCard(OTHER_CARDS.lost);
      await ana.pay();
      await ana.alertWith(new RegExp(`^${plain}`)).waitFor();
    },
    TEST_MS,
  );

  it(
    'a payer who comes back from the bank of gateway_c is told that the card lacked money, and not that one is known as lost',
    async () => {
      const group = await newGroup(merchant('gateway_c'), 2);
      const ana = await openBill(await browser.visit('phone'), group);
      await ana.take([1], 'ana');
      await payAtTheBank(ana.page, OTHER_CARDS.withoutFunds);
      await ana.alertWith(withReason).waitFor();
      await ana.button('Pay €10.00 at the bank').click();
      await payAtTheBank(ana.page, OTHER_CARDS.lost);
      await ana.alertWith(new RegExp(`^${plain}`)).waitFor();
    },
    TEST_MS,
  );
});

it(
  'a payer who leaves the bank of gateway_c with the Back button is led to it again, and pays once',
  async () => {
    const group = await newGroup(merchant('gateway_c'), 1);
    const visitor = await browser.visit('phone');
    const ana = await openBill(visitor, group);
    await ana.page.getByLabel('E-mail').fill('ana@payers.example');
    await ana.button('Pay €10.00 at the bank').click();
    await ana.page.locator('input[name="card_number"]').waitFor();
    await ana.page.goBack();
    await ana.page.getByText(/^Your bank has not confirmed the payment yet/).waitFor();
    await ana.button('Back to the bank').click();
    await payAtTheBank(ana.page, GOOD_CARD);
    await ana.heading('All paid. Thank you!').waitFor();
    expect((await merchant('gateway_c').client.listPayments(group.group_payment.id)).payments).toHaveLength(
      1,
    );
  },
  TEST_MS,
);

describe('labels and links of slots', () => {
  const labels = [
    'Starter and wine',
    '<img src=x onerror=alert(1)> '.repeat(2).trim(),
    'W'.repeat(60),
    '🍖'.repeat(60),
  ];
  const arabic = 'نرگس‌سادات: طبق السمك (1) وسلطة مع الخبز والزيتون والماء';

  it(
    'a label stands beside its amount and in the name of its choice, and the longest does not widen a phone, in English and in Arabic (Q71)',
    async () => {
      const slot_labels = [...labels, arabic, null];
      const group = await newGroup(merchant('gateway_b'), 6, {
        distribution: { type: 'equally', number_of_slots: 6, slot_labels },
      });
      const visitor = await browser.visit('phone');
      const ana = await openBill(visitor, group);
      const { page } = ana;
      for (const [at, label] of slot_labels.entries()) {
        await page
          .getByRole('checkbox', { name: label ?? 'Share 6 €10.00 Available', exact: label === null })
          .waitFor();
        if (label !== null)
          await ana
            .state(at + 1)
            .getByText(label, { exact: true })
            .waitFor();
      }
      expect(await page.locator('img').count()).toBe(0);
      await ana.expectGood();
      await visitor.screenshot('checkout-labels');
      const rtl = await browser.visit('phone', { locale: 'ar', colorScheme: 'dark' });
      const omar = await openBill(rtl, group);
      await omar.page.getByText(labels[2] ?? '', { exact: true }).waitFor();
      await omar.expectGood();
      await rtl.screenshot('checkout-labels-arabic');

      await ana.take([2, 3, 4, 5], 'ana');
      await ana.heading('Pay €40.00').waitFor();
      await page.getByText(`Share 3 (\u2068${labels[2]}\u2069)`).waitFor();
      await ana.expectGood();
      await visitor.screenshot('checkout-labels-card');
    },
    TEST_MS,
  );

  it(
    'a payer who has paid sends the link of one share: it opens with that share chosen, and says when another payer has it (Q72)',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 3, {
        distribution: { type: 'equally', number_of_slots: 3, slot_labels: [null, 'Ben', labels[2]] },
      });
      const { id } = group.group_payment;
      const { payment_intent_id: intentId, slot_ids: slotIds } = await paySlot(
        shared.stack,
        api,
        group,
        0,
        payer('ana'),
      );
      const visitor = await browser.visit('phone');
      const { page } = visitor;
      // The device of a payer who has paid here, with a menu for sharing.
      await page.addInitScript(
        ([key, made]) => {
          localStorage.setItem(key, made);
          const share = (data: ShareData) =>
            Promise.resolve(document.body.setAttribute('data-shared', JSON.stringify(data)));
          Object.assign(navigator, { share });
        },
        [
          `group-payment:${id}`,
          JSON.stringify({
            email: 'ana@payers.example',
            name: 'Ana',
            made: [{ intentId, slotIds }],
            at: Date.now(),
          }),
        ] as const,
      );
      const ana = await openBill(visitor, group);
      await ana.waitUntilHeld();
      expect(await ana.button('Send the link').allInnerTexts()).toHaveLength(3);
      await ana.expectGood();
      await visitor.screenshot('checkout-labels-done');
      await ana.button('Send the link Share 2 (\u2068Ben\u2069)').click();
      await page.locator('[data-shared]').waitFor();
      const sent = JSON.parse((await page.locator('body').getAttribute('data-shared')) ?? '') as ShareData;
      expect(sent).toEqual({
        title: await page.title(),
        text: 'Share 2 (\u2068Ben\u2069)',
        url: `${group.checkout_url}?slot=2`,
      });

      const ben = payerPage(await browser.visit('phone'));
      await ben.page.goto(sent.url ?? '');
      await ben.button('Continue with €10.00').waitFor();
      expect([await ben.share(2).isChecked(), await ben.share(3).isChecked()]).toEqual([true, false]);
      await ben.expectGood();
      await ben.share(2).uncheck();
      await ben.share(3).check();
      await ben.page.reload();
      await ben.page.getByLabel('E-mail').waitFor();
      await eventually(async () => (await ben.share(3).isChecked()) || undefined);
      expect(await ben.share(2).isChecked()).toBe(false);

      await paySlot(shared.stack, api, group, 1, payer('ben'));
      const late = payerPage(await browser.visit('phone'));
      await late.page.goto(sent.url ?? '');
      await late.alertWith('Share 2 has already been taken.').waitFor();
      await late.expectGood();
    },
    TEST_MS,
  );
});

describe('what a payer has to see', () => {
  it(
    'the payee is named on the page, in its title and preview, at the bank and by the card issuer',
    async () => {
      const { name } = findMerchant(shared.stack, 'gateway_c');
      const group = await newGroup(merchant('gateway_c'), 2);
      const visitor = await browser.visit('phone');
      const ana = await openBill(visitor, group);
      await ana.page.locator('.bill').getByText(`Payment to ${name}`).waitFor();
      expect(await ana.page.title()).toBe(`${group.group_payment.group_name} · ${name}`);
      const preview = ana.page.locator('meta[property="og:description"]');
      expect(await preview.getAttribute('content')).toMatch(
        new RegExp(`^Payment to ${name} · €20\\.00 · 0 of 2 shares are in · until .+ UTC$`),
      );
      await ana.expectGood();
      await visitor.screenshot('checkout-payee');
      await ana.take([1], 'ana');
      await ana.page.getByText(`Payment to ${name}`).waitFor();
      await ana.page.getByLabel('Card number').waitFor();
      await visitor.screenshot('bank-payee');

      const other = findMerchant(shared.stack, 'gateway_a').name;
      const kim = await openBill(await browser.visit('phone'), await newGroup(merchant('gateway_a'), 2));
      await kim.take([1], 'kim');
      await kim.page.getByLabel('Name on the card').fill('Kim Example');
      await kim.typeCard(OTHER_CARDS.challenged);
      await kim.pay();
      const issuer = kim.page.getByRole('dialog').locator('iframe').contentFrame();
      await issuer.getByText(`${other} asks to hold this amount`).waitFor();
    },
    TEST_MS,
  );

  it(
    'a refused e-mail address takes the focus on a phone, with its reason beside it',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 3);
      const visitor = await browser.visit('phone');
      visitor.expects(/400/);
      const ana = await openBill(visitor, group);
      await ana.take([1], 'ana');
      // What loads above the button would move it away from under the click.
      await ana.cardIsThere();
      await ana.button('Change shares').click();
      const email = ana.page.getByLabel('E-mail');
      await email.fill('ana@nope');
      await ana.button('Continue with €10.00').click();
      const reason = ana.alertWith(/check the e-mail address/);
      await reason.waitFor();
      await email.and(ana.page.locator(':focus')).waitFor();
      expect(await isSeen(reason)).toBe(true);
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      await ana.expectGood();
      await email.fill('ana@payers.example');
      await reason.waitFor({ state: 'detached' });
    },
    TEST_MS,
  );

  it(
    'a button pressed without a choice shows the reason on a phone',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 3);
      const ana = await openBill(await browser.visit('phone'), group);
      await ana.share(1).check();
      await ana.page.getByLabel('E-mail').fill('ana@payers.example');
      await ana.share(1).uncheck();
      await ana.page.getByLabel(/^Name \(/).focus();
      await ana.button('Choose a share to continue').click({ force: true });
      const reason = ana.alertWith('Choose at least one share.').locator('.notice');
      await reason.and(ana.page.locator(':focus')).waitFor();
      expect(await isSeen(reason)).toBe(true);
    },
    TEST_MS,
  );

  it(
    'a merchant without a gateway is told before a payer chooses anything',
    async () => {
      const group = await newGroup(merchant(null), 2);
      const visitor = await browser.visit('phone');
      const ana = await openBill(visitor, group);
      await ana.alertWith(/cannot take payments at the moment/).waitFor();
      expect(await ana.page.getByRole('checkbox').count()).toBe(0);
      await ana.state(2).waitFor();
      expect(await ana.page.getByText('Available').count()).toBe(0);
      await ana.expectGood();
      await visitor.screenshot('checkout-no-gateway');
    },
    TEST_MS,
  );

  it(
    'a page in Arabic runs from right to left on a phone: choice, card fields and receipt are accessible and do not scroll sideways',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 3, { total_amount: 123_456.78 });
      const visitor = await browser.visit('phone', { locale: 'ar-EG' });
      const ana = await openBill(visitor, group);
      const { page } = ana;
      const findDirection = (field: Locator) => field.evaluate((node) => getComputedStyle(node).direction);
      expect(await page.locator('html').getAttribute('lang')).toBe('ar');
      await ana.expectGood();
      await visitor.screenshot('checkout-arabic-choose');
      const places = await page
        .locator('.tile')
        .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().x));
      expect(places[0]).toBeGreaterThan(places[1] ?? Infinity);
      expect(await findDirection(page.locator('#email'))).toBe('ltr');
      await page.locator('.tile input').first().check();
      await page.locator('#email').fill('ana@payers.example');
      await page.locator('#name').fill('ليلى');
      await page.locator('.primary').click();
      await ana.cardIsThere();
      // The amount keeps its own direction, with the digits that are on cards.
      expect(await page.locator('#step-title').textContent()).toMatch(
        /\u2068[^\u0660-\u0669]*41,152\.26[^\u0660-\u0669]*\u2069/,
      );
      const fields = cardFields(page);
      expect(await findDirection(fields.locator('html'))).toBe('rtl');
      expect(await findDirection(fields.locator('#number'))).toBe('ltr');
      await page.locator('#holder').fill('ليلى');
      await fields.locator('#number').fill(GOOD_CARD);
      await fields.locator('#expiry').fill('12 / 34');
      await fields.locator('#cvc').fill('123');
      await ana.expectGood();
      await visitor.screenshot('checkout-arabic-card');
      await page.locator('.primary').click();
      await page.locator('.receipt').waitFor();
      await ana.expectGood();
      await visitor.screenshot('checkout-arabic-done');
    },
    TEST_MS,
  );

  it(
    'a page with text of twice the size does not scroll sideways on a phone, and breaks no word, also after a decline',
    async () => {
      const group = await newGroup(merchant('gateway_a'), 3, { total_amount: 12_345.6 });
      const visitor = await browser.visit('phone');
      visitor.expects(/402/);
      const ana = await openBill(visitor, group);
      await ana.share(1).waitFor();
      await ana.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const expectLegible = async (): Promise<void> => {
        await ana.expectGood();
        expect(await findBrokenWords(ana.page)).toEqual([]);
      };
      await expectLegible();
      await ana.take([1], 'ana');
      await ana.cardIsThere();
      await expectLegible();
      await ana.typeCard(OTHER_CARDS.declined);
      await ana.pay();
      await ana.alertWith(/declined/).waitFor();
      await expectLegible();
      await visitor.screenshot('checkout-large-declined');
    },
    TEST_MS,
  );

  it.each([
    ['en-GB', /until \w+ \d+ \w+,? (at )?\d?\d:\d\d$/],
    ['en-US', /until \w+, \w+ \d+,? (at )?\d+:\d\d [AP]M$/],
    ['de-AT', /bis \w+\.?, \d+\. \w+\.?,? (um )?\d?\d:\d\d$/],
  ])(
    'an end that is not today is written with its day, as the payer with the locale %s writes it',
    async (locale, written) => {
      const hours = 20;
      const expires_at = new Date(Date.now() + hours * 3_600_000).toISOString();
      const group = await newGroup(merchant('gateway_b'), 2, { expires_at });
      // Where the end is always tomorrow.
      const timezoneId = new Date().getUTCHours() >= 12 ? 'UTC' : 'Asia/Tokyo';
      const { page } = await openBill(await browser.visit('phone', { locale, timezoneId }), group);
      const text = page.locator('.clock small');
      await text.waitFor();
      await text.filter({ hasText: written }).waitFor();
    },
    TEST_MS,
  );
});

it(
  'scripts, styles and documents of every page are sent compressed, and caches are told that it depends on the browser',
  async () => {
    const group = await newGroup(merchant('gateway_b'), 2);
    const { page } = await browser.visit('desktop');
    const plain: string[] = [];
    const wanted = ['document', 'script', 'stylesheet'];
    page.on('response', (response) => {
      const { 'content-encoding': encoding, vary } = response.headers();
      const isLarge = Number(response.headers()['content-length'] ?? 0) > 1_000;
      if (!wanted.includes(response.request().resourceType()) || !isLarge) return;
      if (encoding !== 'br' || !vary?.includes('Accept-Encoding')) plain.push(response.url());
    });
    const { stack } = shared;
    for (const address of [
      group.checkout_url,
      `${stack.dashboard}/login`,
      `${stack.api}/docs`,
      stack.widget,
    ]) {
      await page.goto(address);
      await page.waitForLoadState('load');
    }
    expect(plain).toEqual([]);
  },
  TEST_MS,
);
