import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { openApi, booksShow, newGroup } from '../support/journey.ts';
import type { Group, MerchantApi } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { findMerchant } from '../support/stack.ts';
import { openKeyboard } from './keyboard.ts';
import {
  answerBank,
  answerIssuer,
  begunIn,
  cardFields,
  GOOD_CARD,
  openBill,
  OTHER_CARDS,
  payAtTheBank,
} from './payer-page.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_a', 'gateway_b', 'gateway_c'] });

const merchant = (gateway: string): MerchantApi => openApi(shared.stack, findMerchant(shared.stack, gateway));
const listSlotStates = async (api: MerchantApi, { group_payment: { id } }: Group) =>
  (await api.findGroup(id)).payment_slots.map(({ state }) => state);

/** How many holds a gateway has placed for the group: never more than one for each payer. */
async function heldTimes(gateway: string, intentId: string): Promise<number> {
  const payments = await bookedPayments(shared.stack, gateway, intentId);
  return payments.filter(({ authorised_minor }) => Number(authorised_minor) > 0).length;
}

describe('friends who pay one bill', () => {
  it(
    'friends pay by gateway_a on phone and desktop after a declined card and 3-D Secure, and both pages show the end (B8)',
    async () => {
      const api = merchant('gateway_a');
      const group = await newGroup(api, 2, { group_name: 'Dinner at Casa Lola' });
      const phone = await browser.visit('phone');
      const ana = await openBill(phone, group);
      await ana.heading('Dinner at Casa Lola').waitFor();
      await ana.expectGood();
      await phone.screenshot('checkout-choose');
      await ana.take([1], 'ana');
      await ana.heading(/^Pay €10\.00$/).waitFor();
      await ana.cardIsThere();
      await ana.page.getByText(/Reserved for you/).waitFor();
      await ana.expectGood();
      await phone.screenshot('checkout-card');

      phone.expects(/402/);
      await ana.typeCard(OTHER_CARDS.declined);
      await ana.pay();
      await ana.alertWith(/declined.*Nothing was charged/).waitFor();
      await ana.expectGood();
      await phone.screenshot('checkout-declined');
      await ana.typeCard(GOOD_CARD);
      await ana.pay();
      await ana.waitUntilHeld();
      await ana.expectGood();
      await phone.screenshot('checkout-done');

      const desktop = await browser.visit('desktop');
      const ben = await openBill(desktop, group);
      await ben.state(1).getByText('Held').waitFor();
      await desktop.screenshot('checkout-choose');
      await ben.page.getByLabel('E-mail').fill('ben@payers.example');
      await ben.button(/^Continue with €10\.00$/).click();
      await ben.page.getByLabel('Name on the card').fill('Ben Example');
      desktop.expects(/402/);
      await ben.typeCard(OTHER_CARDS.challenged);
      await ben.pay();
      await answerIssuer(ben.page, false);
      await ben.alertWith(/could not verify that it was you/).waitFor();
      await ben.typeCard(OTHER_CARDS.challenged);
      await ben.pay();
      await answerIssuer(ben.page, true);
      await ben.heading('All paid. Thank you!').waitFor();
      await ana.heading('All paid. Thank you!').waitFor();
      await ana.page.getByText('€10.00 was charged to your card.').waitFor();
      await ben.expectGood();
      await desktop.screenshot('checkout-paid');
      expect(await listSlotStates(api, group)).toEqual(['captured', 'captured']);

      // The page names no other payer (A11).
      for (const { page } of [ana, ben]) {
        const other = page === ana.page ? /ben@payers|Ben Example/ : /ana@payers|ana Example/;
        expect(await page.content()).not.toMatch(other);
        expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(other);
      }
    },
    TEST_MS,
  );

  it(
    'friends pay by gateway_b with a card that is encrypted before it leaves its frame, and answer the bank on its page (Q51)',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 2);
      const phone = await browser.visit('phone');
      const eva = await openBill(phone, group);
      const sent: string[] = [];
      eva.page.on('request', (request) => void sent.push(request.postData() ?? ''));
      await eva.take([1, 2], 'eva');
      await eva.heading(/^Pay €20\.00$/).waitFor();
      await eva.cardIsThere();
      await eva.expectGood();
      await eva.pay();
      await eva.alertWith('Please check the card details.').waitFor();

      phone.expects(/400/);
      await eva.typeCard(OTHER_CARDS.declined);
      await eva.pay();
      await eva.alertWith(/declined/).waitFor();
      await eva.typeCard(OTHER_CARDS.challenged);
      await eva.pay();
      await answerBank(eva.page, false);
      await eva.alertWith(/could not verify that it was you/).waitFor();
      await eva.expectGood();
      await phone.screenshot('checkout-not-verified');
      await eva.button(/^Continue with €20\.00$/).click();
      await eva.typeCard(OTHER_CARDS.challenged);
      await eva.pay();
      await answerBank(eva.page, true);
      await eva.heading('All paid. Thank you!').waitFor();
      await eva.expectGood();
      expect(await listSlotStates(api, group)).toEqual(['captured', 'captured']);
      expect(sent.join('\n')).toContain('ev:QkTC:');
      expect(sent.join('\n')).not.toContain(OTHER_CARDS.challenged);
      expect(await eva.page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/ev:|\b4000/);
    },
    TEST_MS,
  );

  it(
    "friends pay by gateway_c on the bank's own page, and return to the state that the server knows (B6)",
    async () => {
      const api = merchant('gateway_c');
      const group = await newGroup(api, 2);
      const phone = await browser.visit('phone');
      const leo = await openBill(phone, group);
      await leo.page.getByText(/on the bank’s own page/).waitFor();
      await leo.expectGood();
      await leo.take([2], 'leo');
      await leo.page.locator('button[name="cancel"]').click();
      await leo.alertWith(/not completed/).waitFor();
      await leo.share(2).waitFor();
      expect(await leo.share(2).isChecked()).toBe(true);
      await leo.expectGood();

      await leo.button(/at the bank/).click();
      await payAtTheBank(leo.page, '4548812049400004');
      await leo.page.locator('input[name="code"]').fill('123456');
      await leo.page.locator('button[name="confirm"]').click();
      await leo.waitUntilHeld();
      expect(await listSlotStates(api, group)).toEqual(['unassigned', 'preauthorised']);
      await leo.expectGood();
    },
    TEST_MS,
  );
});

describe('the checkout page under disturbances', () => {
  it(
    'the checkout page tells the loser of a race that the share is taken, and offers an equal one (A1)',
    async () => {
      const api = merchant('gateway_a');
      const group = await newGroup(api, 3);
      const visitors = [await browser.visit('phone'), await browser.visit('desktop')] as const;
      const payers = await Promise.all(visitors.map((visitor) => openBill(visitor, group)));
      for (const visitor of visitors) visitor.expects(/409/);
      for (const [index, payer] of payers.entries()) {
        await payer.share(1).check();
        await payer.page.getByLabel('E-mail').fill(`racer${index}@payers.example`);
      }
      // Each page receives the other's update only after both have sent their requests.
      const bothAsked = meeting(payers.length);
      for (const { page } of payers)
        await page.route(/\/pay$/, async (route) => bothAsked().then(() => route.continue()), { times: 1 });
      await Promise.all(payers.map((payer) => payer.button('Continue with €10.00').click()));
      const won = await Promise.race(
        payers.map(async (payer) => {
          await payer.heading('Pay €10.00').waitFor();
          return payer;
        }),
      );
      const lost = payers.find((payer) => payer !== won)!;
      await lost.alertWith(/Share 1 has just been taken.*Share 2.*is chosen instead/).waitFor();
      expect(await lost.share(2).isChecked()).toBe(true);
      await lost.expectGood();
      await visitors[payers.indexOf(lost)]!.screenshot('checkout-lost');
      await lost.button('Continue with €10.00').click();
      await lost.heading('Pay €10.00').waitFor();
      expect(await listSlotStates(api, group)).toEqual(['assigned', 'assigned', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a checkout page that is reloaded during the payment charges once',
    async () => {
      const api = merchant('gateway_a');
      const group = await newGroup(api, 2);
      const visitor = await browser.visit('phone');
      const kim = await openBill(visitor, group);
      await kim.take([1], 'kim');
      await kim.heading('Pay €10.00').waitFor();
      const intent = await begunIn(kim.page);
      await kim.page.reload();
      await kim.heading('Pay €10.00').waitFor();
      expect(await begunIn(kim.page)).toBe(intent);
      await kim.page.getByLabel('Name on the card').fill('Kim Example');
      await kim.typeCard(OTHER_CARDS.challenged);
      await kim.pay();
      await kim.page.getByRole('dialog').waitFor();
      // Away while the bank asks: the payment is looked for, and the card form comes back.
      await kim.page.reload();
      await kim.heading('Checking your payment').waitFor();
      await kim.expectGood();
      await kim.button('Try again').click();
      await kim.heading('Pay €10.00').waitFor();
      await kim.page.getByLabel('Name on the card').fill('Kim Example');
      await kim.typeCard(GOOD_CARD);
      await kim.pay();
      await kim.waitUntilHeld();
      await kim.page.reload();
      await kim.waitUntilHeld();
      await booksShow(shared.stack, { psp_code: 'gateway_a', payment_intent_id: intent ?? '' }, 'authorised');
      expect(await heldTimes('gateway_a', intent ?? '')).toBe(1);
      expect(await listSlotStates(api, group)).toEqual(['preauthorised', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'the checkout page reports a lost network, and continues by itself under the same key',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 2);
      const visitor = await browser.visit('phone');
      const max = await openBill(visitor, group);
      const keys: (string | undefined)[] = [];
      max.page.on('request', (request) => {
        if (request.url().endsWith('/pay') && request.method() === 'POST')
          keys.push(request.headers()['idempotency-key']);
      });
      const three = max.page.waitForEvent('requestfailed', {
        predicate: (request) => request.url().endsWith('/pay') && keys.length >= 3,
      });
      // The page runs once it writes the end in the payer's own time zone.
      await max.page.getByText(/^until (.* )?\d+:\d\d$/).waitFor();
      // The first touch fetches the steps behind it.
      const steps = max.page.waitForResponse(/\/steps-/);
      await max.page.getByLabel('E-mail').focus();
      await (await steps).finished();
      await visitor.loseNetwork();
      await max.take([1], 'max');
      await max.page.getByText(/No connection. We keep trying/).waitFor();
      await max.expectGood();
      await three;
      await max.page.getByText(/What you see may be out of date/).waitFor();
      await max.page.context().setOffline(false);
      await max.heading('Pay €10.00').waitFor();
      expect(new Set(keys).size).toBe(1);
      await max.page.getByText(/may be out of date/).waitFor({ state: 'detached' });
      expect(await listSlotStates(api, group)).toEqual(['assigned', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'the checkout page reports a network that was lost before its first touch, and goes on by itself',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 2);
      const visitor = await browser.visit('phone');
      const ivy = await openBill(visitor, group);
      await ivy.page.getByText(/^until (.* )?\d+:\d\d$/).waitFor();
      await visitor.loseNetwork();
      await ivy.take([1], 'ivy');
      await ivy.page.getByText(/No connection. We keep trying/).waitFor();
      await ivy.expectGood();
      expect(await listSlotStates(api, group)).toEqual(['unassigned', 'unassigned']);
      await ivy.page.context().setOffline(false);
      await ivy.heading('Pay €10.00').waitFor();
      expect(await listSlotStates(api, group)).toEqual(['assigned', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'the checkout page can be used by keyboard alone, and announces what changes',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 2);
      const visitor = await browser.visit('desktop');
      const pia = await openBill(visitor, group);
      const keys = openKeyboard(pia.page);
      await pia.share(2).waitFor();
      await keys.to(/^Share 2/);
      await keys.press('Space');
      await keys.to(/^E-mail/);
      await keys.type('pia@payers.example');
      await keys.press('Enter');
      await pia.heading('Pay €10.00').waitFor();
      // The focus is where the page goes on.
      await keys.isMovedTo('Pay €10.00');
      await pia.cardIsThere();
      await keys.to(/^Name on the card/);
      await keys.type('Pia Example');
      for (const [field, text] of [
        ['Card number', GOOD_CARD],
        ['Expiry date', '1234'],
        ['Security code', '123'],
      ] as const) {
        await keys.press('Tab');
        // The focus crosses into another frame, and keys go where it is.
        await cardFields(pia.page).getByLabel(field).and(cardFields(pia.page).locator(':focus')).waitFor();
        await keys.type(text);
      }
      await keys.to(/^Pay €10/);
      await keys.press('Enter');
      await pia.waitUntilHeld();
      await keys.isMovedTo('You are in');
      await pia.announcementWith(/1 of 2 shares is in/).waitFor({ state: 'attached' });
    },
    TEST_MS,
  );

  it(
    'the checkout page shows name, amounts, shares and time without JavaScript, and accepts no payment',
    async () => {
      const api = merchant('gateway_a');
      const group = await newGroup(api, 3, { group_name: 'Boat trip', currency: 'HUF', total_amount: 300.6 });
      const visitor = await browser.visit('phone', { javaScriptEnabled: false });
      // The browser requests scripts that it does not run, and the page's policy blocks them.
      visitor.expects(/(?:mount|en)-.*csp/);
      const reader = await openBill(visitor, group);
      await reader.heading('Boat trip').waitFor();
      const text = await reader.page.locator('main').innerText();
      expect(text).toMatch(/HUF\s300\.60/);
      expect(text.match(/HUF\s100\.20/g)).toHaveLength(3);
      expect(text).toMatch(/Open for (1 h|\d+ min|\d+:\d\d)/);
      expect(text).toMatch(/Paying needs JavaScript/);
      expect(await reader.button(/Continue/).isVisible()).toBe(false);
      await visitor.screenshot('checkout-without-javascript');
      expect(await listSlotStates(api, group)).toEqual(['unassigned', 'unassigned', 'unassigned']);
    },
    TEST_MS,
  );

  it(
    'a page whose browser is older than promised shows the bill, and a sentence in place of the form (Q107)',
    async () => {
      const api = merchant('gateway_a');
      const group = await newGroup(api, 3, { group_name: 'Old phone' });
      const visitor = await browser.visit('phone');
      // A function of the promised browsers is missing, and the module cannot run.
      await visitor.page.addInitScript(() => Reflect.deleteProperty(Object, 'hasOwn'));
      await visitor.page.route(/\/assets\/.*\.js$/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      );
      const reader = await openBill(visitor, group);
      await reader.heading('Old phone').waitFor();
      expect(await reader.page.locator('main').innerText()).toMatch(
        /Paying needs JavaScript and a current browser/,
      );
      expect(await reader.button(/Continue/).isVisible()).toBe(false);
      expect(await reader.page.locator('.tile input').first().isVisible()).toBe(false);
    },
    TEST_MS,
  );
});

describe('the clocks', () => {
  it(
    'the clocks announce five minutes, one minute and twenty seconds of the bill and of a reservation to screen readers',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 2);
      const visitor = await browser.visit('phone');
      await visitor.page.clock.install();
      const uma = await openBill(visitor, group);
      const { clock } = uma.page;
      const now = () => uma.page.evaluate(() => Date.now());
      const forward = async (seconds: number, says: string) => {
        await clock.fastForward(Math.floor(seconds) * 1_000);
        await uma.announcementWith(says).waitFor({ state: 'attached' });
      };
      await uma.take([1], 'uma');
      const reserved = uma.page.getByText(/Reserved for you: 1\d:\d\d/);
      await reserved.waitFor();
      // Only this page's own time counts, and the test controls it: the server's would correct it with the next
      // heartbeat.
      await visitor.loseNetwork();
      await clock.pauseAt((await now()) + 30_000);
      const shown = await reserved.innerText();
      // The page may still show the time before the jump: what it shows next belongs to the paused clock.
      const text = await eventually(async () => {
        await clock.runFor(1_000);
        const next = await reserved.innerText();
        return next === shown ? undefined : next;
      });
      const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text) ?? [];
      await forward(Number(minutes) * 60 + Number(seconds) - 290, 'Your reservation ends in 5 minutes.');
      await forward(240, 'Your reservation ends in 1 minute.');
      await forward(40, 'Your reservation ends in 20 seconds.');
      const left = (Date.parse(group.group_payment.expires_at) - (await now())) / 1_000;
      await forward(left - 290, 'This bill closes in 5 minutes.');
      await visitor.screenshot('checkout-last-minutes');
      await forward(240, 'This bill closes in 1 minute.');
      await forward(40, 'This bill closes in 20 seconds.');
    },
    TEST_MS,
  );

  it(
    'the clocks free the share that a closed tab had reserved, and show the end of the bill on every page (A6)',
    async () => {
      const api = merchant('gateway_b');
      const group = await newGroup(api, 2);
      const phone = await browser.visit('phone', { colorScheme: 'dark' });
      const eva = await openBill(phone, group);
      await eva.take([1], 'eva');
      await eva.page.getByLabel('Name on the card').fill('Eva Example');
      await eva.typeCard(GOOD_CARD);
      await eva.pay();
      await eva.waitUntilHeld();

      const desktop = await browser.visit('desktop');
      const tom = await openBill(desktop, group);
      await tom.share(2).waitFor();
      await tom.page.getByLabel('E-mail').fill('tom@payers.example');
      await tom.button('Continue with €10.00').click();
      await tom.heading('Pay €10.00').waitFor();
      await eva.state(2).getByText('Being paid').waitFor();
      await eva.expectGood();
      await tom.page.close();

      await api.advanceClock(16 * 60);
      await eva.state(2).getByText('Available').waitFor();
      await api.advanceClock(2_640);
      await eva.heading('Time ran out').waitFor();
      await eva.page.getByText(/€10\.00 held on your card is being released/).waitFor();
      await eva.expectGood();
      await phone.screenshot('checkout-expired');
      expect(await listSlotStates(api, group)).toEqual(['expired', 'expired']);
    },
    TEST_MS,
  );
});

/** Each who comes waits until so many have come. */
function meeting(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    if (++come === size) resolve();
    return promise;
  };
}
