import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pspCodes } from '@gp/gateway-registry';
import { openSandboxWorld, SHOP_NAME, type SandboxWorld } from './sandbox-world.ts';
import { BROWSER_START_MS, openBrowser, type Screen, type TestBrowser, type Visitor } from './support.ts';

let world: SandboxWorld;
let browser: TestBrowser;

beforeAll(async () => {
  world = await openSandboxWorld();
  browser = await openBrowser();
}, BROWSER_START_MS);

afterEach(() => browser?.dismiss());

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

describe("gateway_c's bank", () => {
  /** A payer whom a shop has sent to the bank. */
  async function atBank(
    screen: Screen,
    o: { amount?: string; currency?: string; dark?: boolean } = {},
  ): Promise<Visitor & { intentId: string }> {
    const visitor = await browser.visit(screen, { colorScheme: o.dark ? 'dark' : 'light' });
    const { intentId, page: path } = await world.orderC(o.amount, o.currency);
    await visitor.page.goto(world.shop + path);
    await visitor.page.getByRole('button', { name: 'Pay' }).click();
    await visitor.page.getByRole('heading', { name: 'Pay with your card' }).waitFor();
    return { ...visitor, intentId };
  }

  const choose = (page: Page, card: string) =>
    page.getByRole('button', { name: card.replace(/(.{4})(?=.)/g, '$1 ') }).click();
  const pay = (page: Page) => page.getByRole('button', { name: 'Pay', exact: true }).click();

  it("gateway_c's bank accepts a test card with one click, holds the money and returns to the shop", async () => {
    const visitor = await atBank('phone');
    const { page, intentId } = visitor;
    expect(await page.locator('.amount').innerText()).toBe('€12.34');
    await page.getByText(`Payment to ${SHOP_NAME}`).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('sandbox-gateway-c-card');
    await choose(page, '4548810000000003');
    await pay(page);
    await page.waitForURL(`${world.shop}/ok?**`);
    expect(await world.books(intentId)).toMatchObject([{ status: 'authorised', authorised_minor: 1234 }]);
  });

  it("gateway_c's bank reports a mistyped card, and lets the payer correct it", async () => {
    const visitor = await atBank('desktop', { dark: true });
    const { page, intentId } = visitor;
    await choose(page, '4548810000000003');
    await page.getByLabel('Card number').fill('4242424242424241');
    await pay(page);
    await page.getByRole('alert').filter({ hasText: 'The card number is not right.' }).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('sandbox-gateway-c-complaint-dark');
    await choose(page, '4242424242424242');
    await pay(page);
    await page.waitForURL(`${world.shop}/ok?**`);
    expect(await world.books(intentId)).toMatchObject([{ status: 'authorised' }]);
  });

  it.each([
    [
      'the right code',
      'ok',
      'authorised',
      (page: Page) => page.getByRole('button', { name: 'Fill in' }).click(),
    ],
    ['a wrong code', 'ko', 'declined', (page: Page) => page.getByLabel('Code').fill('000000')],
  ] as const)(
    "gateway_c's bank asks for a code on a 3-D Secure card and believes only %s",
    async (_what, way, status, answer) => {
      const visitor = await atBank('phone', { amount: '1500', currency: '392' });
      const { page, intentId } = visitor;
      await choose(page, '4548812049400004');
      await pay(page);
      await page.getByRole('heading', { name: 'Is this you?' }).waitFor();
      expect(await page.locator('.amount').innerText()).toBe('¥1,500');
      await visitor.expectAccessible();
      await visitor.screenshot('sandbox-gateway-c-3ds');
      await answer(page);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL(`${world.shop}/${way}?**`);
      expect(await world.books(intentId)).toMatchObject([{ status }]);
    },
  );

  it.each([
    ['before the card', () => Promise.resolve(), 'Cancel and go back'],
    [
      'instead of the code',
      async (page: Page) => {
        await choose(page, '4548812049400004');
        await pay(page);
      },
      'Refuse the payment',
    ],
  ] as const)("gateway_c's bank lets the payer leave %s", async (_when, before, button) => {
    const { page, intentId } = await atBank('desktop');
    await before(page);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`${world.shop}/ko?**`);
    expect(await world.books(intentId)).toMatchObject([{ status: 'declined' }]);
  });

  it("gateway_c's bank can be used by keyboard alone", async () => {
    const { page, intentId } = await atBank('desktop');
    await page.keyboard.press('Tab');
    await page.keyboard.type('4548810000000003');
    for (const text of ['12', '2034', '123']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${world.shop}/ok?**`);
    expect(await world.books(intentId)).toMatchObject([{ status: 'authorised' }]);
  });

  it("gateway_c's bank cannot be put in a frame of another page", async () => {
    const visitor = await atBank('desktop');
    const { page } = visitor;
    const address = await page.locator('form').getAttribute('action');
    visitor.expects(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE/);
    await page.goto(world.shop);
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate((src) => {
      document.getElementById('card')?.append(Object.assign(document.createElement('iframe'), { src }));
    }, String(address));
    await refused;
  });

  it("gateway_c's bank shows in words that an order is refused", async () => {
    const visitor = await browser.visit('phone');
    visitor.expects(/400/);
    const { page } = visitor;
    const { page: path } = await world.orderC('0');
    await page.goto(world.shop + path);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'The payment cannot be made' }).waitFor();
    await visitor.expectAccessible();
  });
});

it("gateway_b's 3-D Secure page shows the amount in the currency's own notation", async () => {
  const visitor = await browser.visit('phone');
  const { page } = visitor;
  const answer = await world.payB({ number: '4000002760003184', amount: 1500, currency: 'KWD' });
  const { href } = (answer as { _links: { redirect: { href: string } } })._links.redirect;
  await page.goto(href);
  expect((await page.locator('.amount').innerText()).replace('\u00a0', ' ')).toBe('KWD 1.500');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Yes, it is me' }).click();
  await page.getByText('Authenticated.').waitFor();
  await visitor.expectAccessible();
});

it('the sandbox lists every test card of every gateway with its outcome', async () => {
  const visitor = await browser.visit('phone');
  const { page } = visitor;
  await page.goto(world.sandbox);
  for (const gateway of pspCodes) {
    const table = page.getByRole('table', { name: `Test cards of ${gateway}` });
    await table.getByRole('row', { name: '4242 4242 4242 4242 Approved' }).waitFor();
    await table.getByRole('row', { name: '4000 0000 0000 9995 Declined: insufficient funds' }).waitFor();
    await table.getByRole('row', { name: '4000 0084 0000 1629 3-D Secure, then declined' }).waitFor();
    await table.getByRole('row', { name: '4000 0000 0000 5126 Approved; a refund fails later' }).waitFor();
  }
  await page.getByText('An amount whose last two digits are 72, 73, 74, 96 is declined').waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('sandbox-overview');
});
