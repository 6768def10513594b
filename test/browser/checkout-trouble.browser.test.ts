import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Page, Route } from 'playwright-core';
import type { Group, MerchantApi } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, newGroup, payer as aPayer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { begunIn, cardFields, GOOD_CARD, openBill, type PayerPage } from './payer-page.ts';
import { type Visitor } from './support.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;
/** How long a network stays away. */
const OUTAGE_MS = 20_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_a', 'gateway_b', 'multi'] });

const merchant = (gateway: string): MerchantApi => openApi(shared.stack, findMerchant(shared.stack, gateway));

/** Takes a share and types the card, up to the last button. */
async function readyToPay(payer: PayerPage, share: number): Promise<void> {
  await payer.take([share], 'ana');
  await payer.heading('Pay €10.00').waitFor();
  await payer.page.getByLabel('Name on the card').fill('Ana Example');
  await payer.typeCard(GOOD_CARD);
}

describe('a page whose parts do not come', () => {
  it(
    'a page whose texts could not be fetched tries again, and keeps what was typed meanwhile',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 2);
      const visitor = await browser.visit('phone');
      visitor.expects(/ERR_CONNECTION_RESET/);
      const { page } = visitor;
      let isAway = true;
      let refused = 0;
      await page.route(/\/assets\/en-[^/]*\.js$/, async (route) => {
        if (!isAway) return route.continue();
        refused += 1;
        return route.abort('connectionreset');
      });
      const ida = await openBill(visitor, group);
      await eventually(() => refused >= 2 || undefined);
      await page.getByLabel('E-mail').fill('ida@payers.example');
      isAway = false;
      await page.getByText(/^until (.* )?\d+:\d\d$/).waitFor();
      expect(await page.getByLabel('E-mail').inputValue()).toBe('ida@payers.example');
      await ida.take([1], 'ida');
      await ida.heading('Pay €10.00').waitFor();
    },
    TEST_MS,
  );

  it.each(['gateway_a', 'gateway_b'])(
    'a press on the last button counts when the card field of %s shows an error, and grows, before the release',
    async (gateway) => {
      const group = await newGroup(merchant(gateway), 2);
      const visitor = await browser.visit('desktop');
      const ida = await openBill(visitor, group);
      await readyToPay(ida, 1);
      const fields = cardFields(ida.page);
      await fields.getByLabel('Security code').fill('1');
      const measureFrame = async () =>
        (await ida.page.locator('.card-place iframe').boundingBox())?.height ?? 0;
      const height = await measureFrame();
      const button = await ida.button(/^Pay /).boundingBox();
      if (!button) throw new Error('the page shows no button');
      await ida.page.mouse.move(button.x + 20, button.y + 2);
      await ida.page.mouse.down();
      await fields.getByText('Enter the security code of the card.').waitFor();
      await eventually(async () => (await measureFrame()) > height || undefined);
      await ida.page.mouse.up();
      await ida.alertWith('Please check the card details.').waitFor();
      const after = await ida.button(/^Pay /).boundingBox();
      expect(after?.y).toBeGreaterThan(button.y);
    },
    TEST_MS,
  );

  it(
    'a card form that could not be loaded is loaded once the connection is back, and the note about it goes',
    async () => {
      const group = await newGroup(merchant('gateway_a'), 2);
      const visitor = await browser.visit('phone');
      visitor.expects(/ERR_CONNECTION_RESET/);
      const ida = await openBill(visitor, group);
      const foreign = (url: URL): boolean => url.origin !== new URL(group.checkout_url).origin;
      const drop = (route: Route): Promise<void> =>
        route.request().resourceType() === 'script' ? route.abort('connectionreset') : route.fallback();
      await ida.page.route(foreign, drop);
      await ida.take([1], 'ida');
      await ida.alertWith(/card form could not be loaded/).waitFor();
      await ida.page.unroute(foreign);
      await ida.page.evaluate(() => dispatchEvent(new Event('online')));
      await ida.cardIsThere();
      expect(await ida.alertWith(/could not be loaded/).count()).toBe(0);
    },
    TEST_MS,
  );

  it(
    'a card field that cannot encrypt is reported as such, nothing is sent, and the next try pays',
    async () => {
      const group = await newGroup(merchant('gateway_b'), 2);
      const visitor = await browser.visit('phone');
      const ida = await openBill(visitor, group);
      await readyToPay(ida, 1);
      const frame = ida.page.frames().find((each) => each !== ida.page.mainFrame());
      await frame?.evaluate(() => {
        const { encrypt } = SubtleCrypto.prototype;
        SubtleCrypto.prototype.encrypt = () => {
          SubtleCrypto.prototype.encrypt = encrypt;
          return Promise.reject(new Error('no encryption'));
        };
      });
      const sent: string[] = [];
      ida.page.on('request', (request) => void sent.push(request.url()));
      await ida.pay();
      await ida.alertWith(/card form could not be loaded/).waitFor();
      expect(sent.filter((url) => url.endsWith('/confirm'))).toEqual([]);
      await ida.pay();
      await ida.waitUntilHeld();
    },
    TEST_MS,
  );
});

describe('a network that is lost for 20 seconds while a card is sent', () => {
  /** Requests with which the page sends a card, to the gateway or to us. */
  const SENDING = '**/confirm';

  /**
   * Presses the last button and loses the network with it: before the card has left the browser, or after it arrived,
   * when only the answer is lost.
   */
  async function payIntoTheDark(visitor: Visitor, payer: PayerPage, arrives: boolean): Promise<void> {
    visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION/);
    const { page } = payer;
    const context = page.context();
    let lose: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const swallow = async (route: Route): Promise<void> => {
      if (arrives && route.request().method() === 'POST') await route.fetch();
      await context.setOffline(true);
      await route.abort('internetdisconnected');
      lose();
    };
    await page.route(SENDING, swallow);
    await payer.pay();
    await lost;
    await page.unroute(SENDING);
    await page.getByText(/What you see may be out of date/).waitFor();
    await payer.expectGood();
    await delay(OUTAGE_MS);
    await context.setOffline(false);
  }

  /** Every hold that the gateway's books show for the group's payments of this page: exactly one. */
  async function expectOneHold(gateway: string, intents: ReadonlySet<string>): Promise<void> {
    const booked = await Promise.all([...intents].map((id) => bookedPayments(shared.stack, gateway, id)));
    const held = booked.flat().filter(({ authorised_minor }) => Number(authorised_minor) > 0);
    expect(held.map(({ status }) => status)).toEqual(['authorised']);
  }

  it(
    'a network lost for 20 seconds while a card is sent leaves one hold for each payer',
    async () => {
      const stories = (['gateway_a', 'gateway_b'] as const).flatMap((gateway) =>
        [true, false].map((arrives) => ({ gateway, arrives })),
      );
      const paid = stories.map(async ({ gateway, arrives }) => {
        const group = await newGroup(merchant(gateway), 2);
        const visitor = await browser.visit('phone');
        const payer = await openBill(visitor, group);
        await readyToPay(payer, 1);
        const intents = new Set([(await begunIn(payer.page)) ?? '']);
        await payIntoTheDark(visitor, payer, arrives);
        // A card that gateway_a's own library has sent cannot be sent again from here: the page asks the payer for it.
        if (gateway === 'gateway_a') await payer.heading(/Checking your payment|You are in/).waitFor();
        if (gateway === 'gateway_a' && !arrives) {
          await payer.button('Try again').click();
          await payer.heading('Pay €10.00').waitFor();
          intents.add((await begunIn(payer.page)) ?? '');
          await payer.page.getByLabel('Name on the card').fill('Ana Example');
          await payer.typeCard(GOOD_CARD);
          await payer.pay();
        }
        await payer.waitUntilHeld();
        await payer.page.getByText(/may be out of date/).waitFor({ state: 'detached' });
        await expectOneHold(gateway, intents);
        const { payment_slots } = await merchant(gateway).findGroup(group.group_payment.id);
        expect(payment_slots.map(({ state }) => state)).toEqual(['preauthorised', 'unassigned']);
      });
      await Promise.all(paid);
    },
    TEST_MS,
  );
});

it(
  'payments under way stay on their gateway when the merchant changes it, and the next payer uses the new one (B11)',
  async () => {
    const shop = findMerchant(shared.stack, 'multi');
    const api = openApi(shared.stack, shop);
    await switchGateway(shared.stack, shop, 'gateway_a');
    const group: Group = await newGroup(api, 2);
    const [phone, desktop] = [await browser.visit('phone'), await browser.visit('desktop')];
    const ana = await openBill(phone, group);
    const ben = await openBill(desktop, group);
    await readyToPay(ana, 1);
    await switchGateway(shared.stack, shop, 'gateway_b');
    await ana.pay();
    await ana.waitUntilHeld();
    await ben.announcementWith(/1 of 2 shares is in/).waitFor({ state: 'attached' });
    const first = await api.findGroup(group.group_payment.id);
    expect(first.payment_slots.map(({ state }) => state)).toEqual(['preauthorised', 'unassigned']);

    await readyToPay(ben, 2);
    await ben.expectGood();
    await ben.pay();
    for (const payer of [ana, ben]) await payer.heading('All paid. Thank you!').waitFor();
    expect(await listPayments(group)).toEqual(['gateway_a captured', 'gateway_b captured']);
  },
  TEST_MS,
);

it(
  'a bill with a minimum says before and after a payment when cards are charged, and not the usual promise (Q90)',
  async () => {
    const group = await newGroup(merchant('gateway_b'), 3, { capture_at_expiry: { minimum_slots: 2 } });
    const phone = await browser.visit('phone');
    const ana = await openBill(phone, group);
    await ana.page.getByText(/when time runs out and the minimum is reached: 2 shares\./).waitFor();
    await ana.expectGood();
    await phone.screenshot('checkout-minimum');
    await readyToPay(ana, 1);
    await ana.page.getByText(/^Held now, charged once everyone has paid, or .*\(2 shares\)\.$/).waitFor();
    await ana.pay();
    await ana.waitUntilHeld();
    await ana.page
      .getByText(/€10\.00 is held on your card\. .* the minimum is reached \(2 shares\)/)
      .waitFor();
    await ana.expectGood();
    expect(await ana.page.getByText(/nobody is charged until/i).count()).toBe(0);
  },
  TEST_MS,
);

it(
  'a payer whose hold comes after an expiry that charged others reads how the bill ended, and not that somebody took the share (B7, Q90)',
  async () => {
    const shop = findMerchant(shared.stack, 'multi');
    const api = openApi(shared.stack, shop);
    await switchGateway(shared.stack, shop, 'gateway_b');
    const slow = { metadata: { sandbox_fault: 'authorise:delay:6000' } };
    const group = await newGroup(api, 2, {
      capture_at_expiry: { minimum_slots: 1 },
      distribution: { type: 'equally', number_of_slots: 2, slot_metadata: [slow, { metadata: {} }] },
    });
    await paySlot(shared.stack, api, group, 1, aPayer('ben'));
    const visitor = await browser.visit('phone');
    visitor.expects(/409 \(Conflict\)/);
    const ana = await openBill(visitor, group);
    await readyToPay(ana, 1);
    const intent = await begunIn(ana.page);
    await ana.pay();
    const sent = 'select from attempts where intent_id = $1';
    await eventually(async () => (await askLedger(shared.stack, sent, [intent])).length > 0 || undefined);
    await api.advanceClock(3_601);
    await ana.heading('The minimum was reached').waitFor();
    await ana.page.getByText(/the shares that were paid have been charged/).waitFor();
    const wrong = /Your .* could not be charged|Somebody else was faster|has been taken/;
    expect(await ana.page.getByText(wrong).count()).toBe(0);
    expect(await ana.button(/Continue|Pay/).count()).toBe(0);
    await ana.expectGood();
  },
  TEST_MS,
);

describe('the end of a bill', () => {
  type Ending = {
    readonly how: string;
    readonly gateway?: string;
    readonly shares?: number;
    /** The gateway's fault in place of its usual answer. */
    readonly fault?: string;
    /** Whether that happens to the first share alone. */
    readonly isAlone?: true;
    /** From what is held on the bill is captured when its time runs out. */
    readonly capture_at_expiry?: Readonly<Record<string, number>>;
    /** The end of the bill once this payer has paid. */
    readonly end?: (api: MerchantApi, id: string, page: Page) => Promise<unknown>;
    readonly title: string;
    readonly group: RegExp;
    readonly mine: RegExp;
  };
  const RELEASED = /€10\.00 held on your card is being released/;

  const cancel = async (_api: MerchantApi, id: string) => {
    const dashboard = await openDashboard(shared.stack, findMerchant(shared.stack, 'gateway_b'));
    return dashboard.post(`test/group-payments/${id}/cancel`, {}, randomUUID());
  };
  const refund = async (api: MerchantApi, id: string, page: Page) => {
    await api.becomes(id, ['paid']);
    await page.locator('.tile', { hasText: 'Paid' }).waitFor();
    await api.client.refundGroupPayment(id);
    // A page that stays open shows it within half a minute, without a reload.
    await page.clock.fastForward(30_000);
  };

  const lastOnePays = async (api: MerchantApi, id: string) =>
    paySlot(shared.stack, api, await api.findGroup(id), 1, aPayer('ben'));

  it.each<Ending>([
    {
      how: 'cancelled by the merchant (Q2)',
      shares: 2,
      end: cancel,
      title: 'This bill was cancelled',
      group: /Nobody pays anything/,
      mine: RELEASED,
    },
    {
      how: 'refunded (E4)',
      end: refund,
      title: 'Refunded',
      group: /given all the money back/,
      mine: /€10\.00 was given back to your card/,
    },
    {
      how: 'a card that cannot be charged (D5)',
      gateway: 'gateway_a',
      shares: 2,
      fault: 'capture:decline',
      end: lastOnePays,
      title: 'The cards could not be charged',
      group: /No money was taken/,
      mine: /€10\.00 could not be charged\. Nothing was taken/,
    },
    {
      how: 'one card of two that cannot be charged (D4)',
      gateway: 'gateway_a',
      shares: 2,
      fault: 'capture:decline',
      isAlone: true,
      end: lastOnePays,
      title: 'Not every card could be charged',
      group: /decides what happens next/,
      mine: /€10\.00 could not be charged\. Nothing was taken/,
    },
    {
      how: 'uncharged at once, before the eyes of the last one to pay (D5)',
      gateway: 'gateway_a',
      fault: 'capture:decline',
      title: 'The cards could not be charged',
      group: /No money was taken/,
      mine: /€10\.00 could not be charged\. Nothing was taken/,
    },
    // The last two, of two merchants: their time does not go back.
    {
      how: 'part of it when time ran out, as the page had said (Q90)',
      gateway: 'gateway_a',
      shares: 2,
      capture_at_expiry: { minimum_amount: 10 },
      end: (api) => api.advanceClock(3_601),
      title: 'The minimum was reached',
      group: /\(€10\.00\) was reached in time, and the shares that were paid have been charged/,
      mine: /€10\.00 was charged to your card/,
    },
    {
      how: 'time that ran out (C1)',
      shares: 2,
      end: (api) => api.advanceClock(3_601),
      title: 'Time ran out',
      group: /nobody is charged/,
      mine: RELEASED,
    },
  ])(
    '$how is shown in plain words to payers who have paid and to visitors who come later',
    async ({ how, gateway = 'gateway_b', shares = 1, fault, isAlone, end, title, ...shown }) => {
      const { group: words, mine, capture_at_expiry } = shown;
      const api = merchant(gateway);
      const metadata = fault === undefined ? {} : { sandbox_fault: fault };
      const slot_metadata = Array.from({ length: shares }, (_, place) => ({
        metadata: place === 0 ? metadata : {},
      }));
      const group = await newGroup(api, shares, {
        group_name: 'Dinner at Casa Lola',
        ...(isAlone
          ? { distribution: { type: 'equally', number_of_slots: shares, slot_metadata } }
          : { metadata }),
        ...(capture_at_expiry && { capture_at_expiry }),
      });
      const phone = await browser.visit('phone');
      if (end === refund) await phone.page.clock.install();
      const ana = await openBill(phone, group);
      await readyToPay(ana, 1);
      await ana.pay();
      if (shares > 1) await ana.waitUntilHeld();
      await end?.(api, group.group_payment.id, ana.page);
      await ana.heading(title).waitFor();
      await ana.page.getByText(words).waitFor();
      await ana.page.getByText(mine).waitFor();
      // A share whose hold is released, and its receipt, say so.
      if (mine === RELEASED)
        for (const place of ['.tile-own .tile-state', '.receipt'])
          await ana.page.locator(place).getByText('Not charged').waitFor();
      // A bill that came to nothing shows no progress.
      expect(await ana.page.locator('.progress').count()).toBe(isAlone || capture_at_expiry ? 1 : 0);
      await ana.expectGood();
      await phone.screenshot(`checkout-end-${how.split(' ')[0]}`);

      const later = await browser.visit('desktop');
      const late = await openBill(later, group);
      await late.heading(title).waitFor();
      await late.page.getByText(words).waitFor();
      expect(await late.page.locator('.mine').count()).toBe(0);
      expect(await late.button(/Continue|Pay/).count()).toBe(0);
      await late.expectGood();
    },
    TEST_MS,
  );
});

/** The end of every payment of a group, by its gateway's name. */
async function listPayments({ group_payment: { id } }: Group): Promise<string[]> {
  const found = await askLedger<{ psp_code: string; state: string }>(
    shared.stack,
    'select psp_code, state from intents where group_id = $1 order by psp_code',
    [id],
  );
  return found.map(({ psp_code, state }) => `${psp_code} ${state}`);
}
