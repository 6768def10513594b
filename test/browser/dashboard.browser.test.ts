import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { merchantApi, type Group } from '../support/api.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { authorise, cards } from '../support/payer.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { arriveAt, badge, settled } from './dashboard-page.ts';
import { openKeyboard } from './keyboard.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser, type Visitor } from './support.ts';

const HOUR_MS = 3_600_000;

let shared: SharedStack;
let browser: TestBrowser;
let endpoint: Endpoint;
let merchant: Merchant;
let paid: Group;
/** What the endpoint answers. */
let answer = 200;

beforeAll(async () => {
  shared = await openSharedStack();
  [browser, endpoint] = await Promise.all([openBrowser(), openEndpoint(() => answer)]);
  merchant = findMerchant(shared.stack, 'gateway_a');
  await api().createWebhook(endpoint.url);
  paid = await newGroup('Paid dinner');
  await pay(paid, 'ana@example.com', [0, 1]);
  await pay(paid, 'ben@example.com', [2]);
  await api().becomes(paid.group_payment.id, ['paid']);
}, BROWSER_START_MS);

afterEach(() => browser.dismiss());

afterAll(async () => {
  await browser?.close();
  await shared?.close();
  await endpoint?.close();
}, BROWSER_START_MS);

const api = () => merchantApi(shared.stack.api, merchant.test_key);

/** Three slots; `faults` are those that the gateway meets on them, by their place. */
function newGroup(name: string, faults: readonly string[] = []): Promise<Group> {
  const slot_metadata = faults.map((fault) => ({ metadata: fault === '' ? {} : { sandbox_fault: fault } }));
  return api().createGroup({
    group_name: name,
    total_amount: 30,
    currency: 'EUR',
    expires_at: new Date(Date.now() + 24 * HOUR_MS).toISOString(),
    distribution: {
      type: 'equally',
      number_of_slots: 3,
      ...(faults.length > 0 && { slot_metadata }),
    },
  });
}

/** One payer takes these slots (by their place, from 0) and authorises. */
async function pay(group: Group, email: string, places: number[]): Promise<void> {
  const { id } = group.group_payment;
  const slot_ids = places.map((place) => group.payment_slots[place]!.id);
  const payer = { email, name: email.split('@')[0]!, card: cards.approved };
  const begun = await api().pay(id, { customer_email: email, customer_name: payer.name, slot_ids });
  await authorise(shared.stack, api(), id, begun, payer);
}

/** Somebody of the merchant, at a screen of the dashboard. */
const arrive = async (path: string, ...visit: Parameters<TestBrowser['visit']>): Promise<Visitor> =>
  arriveAt(await browser.visit(...visit), shared.stack.dashboard, { person: merchant, path });

describe('group payments', () => {
  it('lead from the list to a refund that names the whole payment of a chosen slot, and do that (E4)', async () => {
    const { page } = await arrive('/test/group-payments?state=paid', 'desktop');
    await page.getByRole('link', { name: /Paid dinner/ }).click();
    await page.getByRole('checkbox', { name: 'Slot 1' }).check();
    await page.getByRole('button', { name: 'Refund 1 slot' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('More than you chose').waitFor();
    const plan = dialog.getByRole('list', { name: 'Payments that are refunded' });
    expect(await plan.innerText()).toContain('ana@example.com');
    expect(await plan.innerText()).not.toContain('ben@example.com');
    await dialog.getByRole('button', { name: 'Refund €20.00' }).click();
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await badge(page, 'partly refunded').waitFor();
    const { payment_slots: slots } = await api().findGroup(paid.group_payment.id);
    expect(slots.map(({ state }) => state)).toEqual(['refunded', 'refunded', 'captured']);
  });

  it('tell of a refund that one gateway refuses which payment it is and why, and take another try (E3)', async () => {
    const group = await newGroup('Half refunded', ['refund:decline', '', '']);
    const { id } = group.group_payment;
    await pay(group, 'fay@example.com', [0]);
    await pay(group, 'gus@example.com', [1, 2]);
    await api().becomes(id, ['paid']);
    const visitor = await arrive(`/test/group-payments/${id}`, 'phone');
    const { page } = visitor;
    const refundAll = async (amount: string): Promise<void> => {
      await page.getByRole('button', { name: 'Refund everything' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Refund ${amount}` })
        .click();
    };
    await refundAll('€30.00');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByText('1 payment not refunded').waitFor();
    await dialog.getByText(/^gateway_a: ./).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-refund-refused');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await badge(page, 'partly refunded').waitFor();
    await refundAll('€10.00');
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const title = page.getByRole('heading', { level: 1 });
    await title.getByText('refunded', { exact: true }).waitFor();
  });

  it('are cancelled after a question, and what is held is released (Q2)', async () => {
    const group = await newGroup('Cancelled dinner');
    await pay(group, 'cleo@example.com', [0]);
    const { id } = group.group_payment;
    await api().becomes(id, ['partially_preauthorised']);
    const { page } = await arrive(`/test/group-payments/${id}`, 'phone');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the group payment' }).click();
    await badge(page, 'cancelled').waitFor();
    await page.getByText('Payment of cleo (slot 1) released').waitFor();
  });

  it('are found by their id and by their order number', async () => {
    const { page } = await arrive('/test/group-payments', 'desktop');
    const search = page.getByLabel('Id or order number');
    await search.fill(paid.group_payment.merchant_order_id);
    await search.press('Enter');
    await page.getByText('1 group payment', { exact: true }).waitFor();
    await search.fill(paid.group_payment.id);
    await search.press('Enter');
    await page.waitForURL(`**/test/group-payments/${paid.group_payment.id}`);
  });

  it('are made here without code, and shown while they are paid', async () => {
    const { page } = await arrive('/test/group-payments/new', 'desktop');
    await page.getByLabel('Name').fill('Made by hand');
    await page.getByLabel('Total').fill('12.10');
    await page.getByRole('button', { name: 'Make it' }).click();
    const opens = page.getByRole('link', { name: 'Open the checkout page' });
    expect(await opens.getAttribute('href')).toContain(`${shared.stack.checkout}/c/`);
    await page.getByRole('link', { name: 'Watch it here' }).click();
    await badge(page, 'Made by hand').waitFor();
    const made = await api().findGroup(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(made.group_payment.total_amount).toBe(12.1);
    await pay(made, 'dora@example.com', [0]);
    await page.getByText('Payment of dora (slot 1) held').waitFor();
  });
});

it('is worked by keyboard alone: from the login to a new key, and to a group payment that is cancelled', async () => {
  const group = await newGroup('Nobody has a mouse');
  const visitor = await browser.visit('desktop');
  const { page } = visitor;
  const keys = openKeyboard(page);
  visitor.expects(/401.*\/api\/me/);
  await page.goto(`${shared.stack.dashboard}/test`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await keys.to(/^E-mail/);
  await keys.type(merchant.email);
  await keys.to(/^Password/);
  await keys.type(merchant.password);
  await keys.press('Enter');
  await page.waitForURL(`${shared.stack.dashboard}/test`);
  await settled(page);
  await keys.to(/^API keys$/);
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await keys.to(/^Create key$/);
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.to(/^Name/);
  await keys.type('made without a mouse');
  await keys.press('Enter');
  await page.getByText(/^sk_test_\w+$/).waitFor();
  await keys.to(/^I have stored it$/, 'Shift+Tab');
  await keys.press('Enter');
  await page.getByRole('row', { name: /made without a mouse/ }).waitFor();

  await keys.to(/^Group payments$/, 'Shift+Tab');
  await keys.press('Enter');
  await page.getByRole('link', { name: /Nobody has a mouse/ }).waitFor();
  await keys.to(/Nobody has a mouse/);
  await keys.press('Enter');
  await badge(page, 'Nobody has a mouse').waitFor();
  await keys.to(/^Cancel$/);
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.to(/^Cancel the group payment$/);
  await keys.press('Enter');
  await badge(page, 'cancelled').waitFor();
  expect((await api().findGroup(group.group_payment.id)).group_payment.state).toBe('cancelled');
});

describe('webhooks', () => {
  it('show a failed delivery with request, answer and next retry; sent again it is delivered', async () => {
    const { page } = await arrive('/test/webhooks', 'desktop');
    await page.getByRole('link', { name: new RegExp(endpoint.url) }).click();
    answer = 503;
    await page.getByRole('button', { name: 'Send test event' }).click();
    const delivery = page.locator('details', { hasText: 'pending' }).first();
    await delivery.getByText('1 attempt').waitFor();
    await delivery.locator('summary').click();
    await delivery.getByText('answered 503').waitFor();
    expect(await delivery.getByRole('group', { name: 'Request' }).innerText()).toContain('Service-Event-Id');
    answer = 200;
    await delivery.getByRole('button', { name: 'Send again now' }).click();
    const top = page.locator('details').first();
    await top.getByText('200 acknowledged').waitFor();
  });

  it('recover a period, telling when it is done', async () => {
    const { page } = await arrive('/test/webhooks', 'phone');
    await page.getByRole('link', { name: new RegExp(endpoint.url) }).click();
    const today = new Date();
    const two = (count: number) => String(count).padStart(2, '0');
    const day = `${today.getFullYear()}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
    await page.getByLabel('From').fill(day);
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByText(/^Done: \d+ deliver(y|ies) sent again\.$/).waitFor();
  });

  it('show a rolled secret once: gone from the page when it is left, and nowhere in the browser', async () => {
    const { page } = await arrive('/test/webhooks', 'desktop');
    await page.getByRole('link', { name: new RegExp(endpoint.url) }).click();
    await page.getByRole('button', { name: 'Roll secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'An hour' }).check();
    await dialog.getByRole('button', { name: 'Roll secret' }).click();
    const secret = await page.getByRole('group', { name: 'New signing secret' }).innerText();
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
    expect(kept).not.toContain(secret);
  });
});

it('a mode shows nothing of the other, and switching leads to the same screen there (S9)', async () => {
  const { page } = await arrive('/test/group-payments', 'desktop');
  await page.getByRole('link', { name: /Paid dinner/ }).waitFor();
  await page.getByRole('note').getByText('Test mode.').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByText('Live', { exact: true }).click();
  await page.waitForURL('**/live/group-payments');
  await page.getByText('No group payments yet').waitFor();
  expect(await page.getByText('Paid dinner').count()).toBe(0);
  expect(await page.getByText('Test mode.').count()).toBe(0);
  expect(asked.filter((path) => path.startsWith('/api/test'))).toEqual([]);
});

const SCREENS: Readonly<Record<string, () => string>> = {
  home: () => '/test',
  'home-live': () => '/live',
  'group-payments': () => '/test/group-payments',
  'group-payment': () => `/test/group-payments/${paid.group_payment.id}`,
  'new-payment': () => '/test/group-payments/new',
  webhooks: () => '/test/webhooks',
  events: () => '/test/events',
  'test-clock': () => '/test/test-clock',
  'sandbox-cards': () => '/test/sandbox-cards',
  origins: () => '/test/origins',
  'quick-start': () => '/test/quick-start',
};

describe('every screen is accessible and fits', () => {
  it.each([
    ['phone', 'light'],
    ['desktop', 'dark'],
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const)(
    'on a %s, %s',
    async (screen, colorScheme) => {
      const visitor = await arrive('/test', screen, { colorScheme });
      const { page } = visitor;
      for (const [name, pathOf] of Object.entries(SCREENS)) {
        await page.goto(shared.stack.dashboard + pathOf());
        await settled(page);
        await page.waitForLoadState('networkidle');
        await visitor.screenshot(`dashboard-${name}-${colorScheme}`);
        await visitor.expectAccessible();
        const overflow = await page.evaluate(
          // Space kept for a scroll bar may be left over.
          () => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        );
        expect({ name, overflow }).toEqual({ name, overflow: 0 });
      }
      await page.goto(`${shared.stack.dashboard}/test/webhooks`);
      await page.getByRole('link', { name: new RegExp(endpoint.url) }).click();
      await page.locator('details summary').first().click();
      await visitor.screenshot(`dashboard-webhook-${colorScheme}`);
      await visitor.expectAccessible();
      await page.goto(`${shared.stack.dashboard}/test/events`);
      await page.getByRole('list', { name: 'Events' }).getByRole('link').first().click();
      await page.getByRole('region', { name: 'Body of the event' }).waitFor();
      await visitor.screenshot(`dashboard-event-${colorScheme}`);
      await visitor.expectAccessible();
    },
    240_000,
  );
});

// Last: time does not go back for the others.
it('the test clock travels past an expiry: the group expires and its hold is released', async () => {
  const group = await newGroup('Expiring dinner');
  await pay(group, 'eve@example.com', [0]);
  const { id } = group.group_payment;
  await api().becomes(id, ['partially_preauthorised']);
  const { page } = await arrive('/test/test-clock', 'desktop');
  await page.getByRole('button', { name: 'Travel there: the expiry of Expiring dinner' }).click();
  await page.getByText('ahead of the world').waitFor();
  await page.goto(`${shared.stack.dashboard}/test/group-payments/${id}`);
  await badge(page, 'expired').waitFor();
  await page.getByText('Payment of eve (slot 1) released').waitFor();
});
