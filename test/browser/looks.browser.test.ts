import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import type { Group, MerchantApi } from '../support/api.ts';
import { openEndpoint } from '../support/endpoint.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { arriveAt } from './dashboard-page.ts';
import { expectLook, findStalePictures, type Look } from './looks.ts';
import { organiserPage } from './organiser-page.ts';
import { GOOD_CARD, openBill, type PayerPage } from './payer-page.ts';
import { book, findForm } from './shop-page.ts';
import type { Screen, Visitor } from './support.ts';
import { useBrowser } from './use-browser.ts';
import { hideWallets } from './wallet-page.ts';

const TEST_MS = 150_000;

/** The merchant with gateway_b has the bills; that with gateway_a has the dashboard, whose sums must stay the same. */
const { shared, browser } = useBrowser({ merchants: ['gateway_a', 'gateway_b'] });

let endpoint: Awaited<ReturnType<typeof openEndpoint>> | undefined;
let paid: Group;

beforeAll(async () => {
  endpoint = await openEndpoint(() => 200);
  const api = findApi('gateway_a');
  await api.createWebhook(endpoint.url);
  paid = await newBill(api);
  for (const index of [0, 1, 2]) await paySlot(shared.stack, api, paid, index, payer('ana'));
  await api.becomes(paid.group_payment.id, ['paid']);
}, TEST_MS);
afterAll(() => endpoint?.close());

const findApi = (gateway: string): MerchantApi => openApi(shared.stack, findMerchant(shared.stack, gateway));

const newBill = (api = findApi('gateway_b'), o: object = {}): Promise<Group> =>
  newGroup(api, 3, { group_name: 'Dinner at Casa Lola', ...o });

/** A bill, one share of which is in. */
async function newBillWithPayer(o: object = {}): Promise<Group> {
  const api = findApi('gateway_b');
  const group = await newBill(api, o);
  await paySlot(shared.stack, api, group, 0, payer('ana'));
  await api.becomes(group.group_payment.id, ['partially_preauthorised']);
  return group;
}

/** A page of the checkout. */
const checkout = (screen: Screen, open: Look['open'], options: BrowserContextOptions = {}): Look => ({
  screen,
  options,
  open,
  mask: ['.reservation'],
  texts: {
    '.clock b': '59:00',
    '.clock small': '12:00',
    '.foot p': 'Order GP-1',
    '.receipt li:nth-child(4)': '1 January 2030 at 12:00',
    '.receipt li:nth-child(5)': 'Order GP-1',
    '.receipt li:nth-child(6)': 'Reference 1',
  },
});

/** The page of an open bill, in another language where the search says so. */
const seeBill =
  (search = '') =>
  async ({ page }: Visitor): Promise<void> => {
    const group = await newBillWithPayer();
    await page.goto(group.checkout_url + search);
    await page.getByRole('checkbox').nth(1).waitFor();
    // The page saves its state as soon as it runs.
    await page.waitForFunction(() => sessionStorage.length > 0);
  };

/** Chooses a share and opens the form for its card. */
async function startToPay(visitor: Visitor): Promise<PayerPage> {
  const bill = await openBill(visitor, await newBill());
  await bill.take([2], 'ben');
  await bill.heading(/^Pay /).waitFor();
  await bill.cardIsThere();
  return bill;
}

async function payShare(visitor: Visitor): Promise<void> {
  const bill = await startToPay(visitor);
  await bill.page.getByLabel('Name on the card').fill('Ben Example');
  await bill.typeCard(GOOD_CARD);
  await bill.pay();
  await bill.waitUntilHeld();
}

async function seeCancellation(visitor: Visitor): Promise<void> {
  const group = await newBill();
  const bill = await openBill(visitor, group);
  await bill.share(1).waitFor();
  await findApi('gateway_b').client.cancelGroupPayment(group.group_payment.id);
  await bill.heading('This bill was cancelled').waitFor();
}

async function openOrganiser(visitor: Visitor): Promise<void> {
  const group = await newBillWithPayer({ organiser: { may: ['remind', 'extend', 'cancel'] } });
  const organiser = await organiserPage(visitor, group);
  await organiser.heading('2 shares are still missing.').waitFor();
  await organiser.row(1).getByText('In: held', { exact: true }).waitFor();
}

async function openFriends({ page }: Visitor): Promise<void> {
  await page.goto(`${(await newBill()).checkout_url}/friends`);
  await page.getByRole('button', { name: 'Copy the link' }).waitFor();
}

async function openWidget({ page }: Visitor): Promise<void> {
  await hideWallets(page);
  await book(page, shared.stack.shop, 'script');
  await findForm(page).share(2).waitFor();
}

async function openReference({ page }: Visitor): Promise<void> {
  await page.goto(`${shared.stack.api}/docs`);
  await page.getByRole('searchbox').waitFor();
}

async function openLogin({ page }: Visitor): Promise<void> {
  await page.goto(`${shared.stack.dashboard}/login`);
  await page.getByLabel('Password').first().waitFor();
}

/** A screen of the dashboard. */
const dashboard = (screen: Screen, findPath: () => string, options: BrowserContextOptions = {}): Look => ({
  screen,
  options,
  // Deliveries are tried again where the machine is busy.
  mask: ['text=/attempts in 7 days/', 'dd :text-matches("^GP-")'],
  texts: { '.chart-names span': '1 Jan', '.identifier': 'an id or a link' },
  async open(visitor) {
    const person = findMerchant(shared.stack, 'gateway_a');
    await arriveAt(visitor, shared.stack.dashboard, { person, path: findPath() });
    await visitor.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  },
});

const looks: Readonly<Record<string, Look>> = {
  'bill-phone': checkout('phone', seeBill()),
  'bill-phone-dark': checkout('phone', seeBill(), { colorScheme: 'dark' }),
  'bill-phone-arabic': checkout('phone', seeBill('?lang=ar')),
  'bill-desktop': checkout('desktop', seeBill()),
  'card-phone': checkout('phone', startToPay),
  'held-phone': checkout('phone', payShare),
  'cancelled-phone': checkout('phone', seeCancellation),
  'friends-phone': {
    screen: 'phone',
    mask: ['[role="img"]'],
    texts: { '.friends-address': 'https://pay.example/g/1' },
    open: openFriends,
  },
  'organiser-phone': checkout('phone', openOrganiser),
  'widget-desktop': checkout('desktop', openWidget),
  // The samples have the port of this run.
  'reference-desktop': { screen: 'desktop', mask: ['main pre'], open: openReference },
  'login-phone': { screen: 'phone', open: openLogin },
  'home-desktop': dashboard('desktop', () => '/test'),
  'home-desktop-dark': dashboard('desktop', () => '/test', { colorScheme: 'dark' }),
  'group-payment-phone': dashboard('phone', () => `/test/group-payments/${paid.group_payment.id}`),
};

it.each(Object.entries(looks))(
  'the screen %s looks like its stored picture but for a small share of it',
  (name, look) => expectLook(browser, name, look),
  TEST_MS,
);

it('every stored picture belongs to a screen', async () => {
  expect(await findStalePictures(Object.keys(looks))).toEqual([]);
});
