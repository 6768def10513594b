import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Page } from 'playwright-core';
import { askDatabase } from '../support/ledger.ts';
import { openRequests } from '../support/requests.ts';
import { settled } from './dashboard-page.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

describe('a test payment by hand', () => {
  it('a test payment by hand has slots with labels and amounts, and a copy of it is made from its page', async () => {
    const visitor = await fixture.openAt('/test/group-payments/new', 'phone');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Padel and beer');
    await page.getByText('By hand').click();
    await page.getByLabel('Label of slot 1').fill('Court');
    await page.getByLabel('Amount of slot 1').fill('20,50');
    await page.getByRole('button', { name: 'Add a slot' }).click();
    await page.getByLabel('Label of slot 2').fill('Beer');
    await page.getByLabel('Amount of slot 2').fill('4');
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-slots-by-hand');
    for (let bill = 1; bill <= 2; bill += 1) {
      await page.getByRole('button', { name: 'Create test payment' }).click();
      await page.getByRole('link', { name: 'Watch it here' }).click();
      const slots = page.getByRole('region', { name: 'Slots' });
      await slots.getByText('Court').waitFor();
      await slots.getByText('€20.50').waitFor();
      await slots.getByText('€4.00').waitFor();
      if (bill === 1) await page.getByRole('link', { name: 'Duplicate' }).click();
    }
  });
});

describe('the form of a bill', () => {
  it('a field that is refused is shown whole below the header, and the fault of an amount names an amount', async () => {
    const visitor = await fixture.openAt('/test/group-payments/new', 'desktop');
    const { page } = visitor;
    const make = page.getByRole('button', { name: 'Create test payment' });
    await page.getByLabel('Name').fill('');
    await make.scrollIntoViewIfNeeded();
    await make.click();
    await page.waitForFunction(() => document.activeElement?.matches(':invalid'));
    const below = await page.evaluate(() => {
      const header = document.querySelector('header')!.getBoundingClientRect();
      return document.activeElement!.getBoundingClientRect().top - header.bottom;
    });
    expect(below).toBeGreaterThan(0);
    visitor.expects(/400/);
    await page.getByLabel('Name').fill('Padel');
    await page.getByLabel('Total').fill('thirty');
    await make.click();
    await page.getByText('Must be an amount such as 12.50', { exact: true }).waitFor();
    await page.getByRole('alert').getByText('Total: must be an amount such as 12.50').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-bill-refused');
  });

  it('the page of a bill that was just made shows what its payers pay, and its QR code', async () => {
    const visitor = await fixture.openAt('/test/group-payments/new', 'phone');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create test payment' }).click();
    const made = page.getByRole('region', { name: 'It is open. Now pay it' });
    await made.getByText('open', { exact: true }).waitFor();
    await made.getByRole('button', { name: 'QR code' }).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-made');
    const address = await made.getByRole('link', { name: 'Watch it here' }).getAttribute('href');
    await fixture.api.client.createTestPayment(address!.split('/').at(-1)!, {
      customer_email: 'yara@example.com',
    });
    await made.getByText('paid', { exact: true }).waitFor();
    await made.getByRole('img', { name: '€0.00 held, €30.00 captured of €30.00' }).waitFor();
  });
});

describe('the minimum of a capture when time runs out', () => {
  it('a minimum is an amount, and "Duplicate" keeps it (Q90)', async () => {
    const visitor = await fixture.openAt('/test/group-payments/new', 'phone');
    const { page } = visitor;
    const minimum = page.getByRole('textbox', { name: 'Minimum to capture when time runs out' });
    await page.getByText('Amount in EUR').click();
    visitor.expects(/400/);
    await minimum.fill('30,01');
    await page.getByRole('button', { name: 'Create test payment' }).click();
    await page
      .getByRole('alert')
      .getByText('Minimum to capture when time runs out: must be above 0 and at most “Total”')
      .waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-minimum-amount');
    await minimum.fill('20,50');
    for (let bill = 1; bill <= 2; bill += 1) {
      await page.getByRole('button', { name: 'Create test payment' }).click();
      await page.getByRole('link', { name: 'Watch it here' }).click();
      await page.getByText('captured from €20.50 on').waitFor();
      if (bill === 2) break;
      await page.getByRole('link', { name: 'Duplicate' }).click();
      await settled(page);
      expect(await minimum.inputValue()).toBe('20.50');
    }
  });
});

describe('a live payment by hand', () => {
  const NEW = '/live/group-payments/new';

  it('a merchant without a live gateway is led to the gateways, and sees no form (K15)', async () => {
    const visitor = await fixture.openAt(NEW, 'phone', { colorScheme: 'dark' });
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No gateway is connected in live mode' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).count()).toBe(0);
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-no-live-gateway');
    await page.getByRole('link', { name: 'Open gateways' }).click();
    await page.waitForURL(/\/live\/gateways$/);
  });

  it('a live payment is made once, however often the button is pressed, and the audit log says by whom (K15)', async () => {
    await connectLiveGateway();
    const visitor = await fixture.openAt(NEW, 'phone');
    const { page } = visitor;
    await page.getByText('Real cards are charged').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Coach to Girona');
    await page.getByLabel('Total').fill('90');
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-new-live-payment');
    const keys = await losesFirstAnswer(page);
    visitor.expects(/ERR_FAILED/);
    const create = page.getByRole('button', { name: 'Create live payment' });
    await create.click();
    await page.getByRole('alert').waitFor();
    await create.dblclick();
    await page.getByRole('heading', { name: 'It is open. Send its link to those who pay' }).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-made-live-payment');
    expect(new Set(keys).size).toBe(1);
    expect(keys.length).toBeGreaterThan(1);
    const { shared, merchant } = fixture;
    const { body } = await openRequests(shared.stack.api, merchant.live_key).get('/v1/group-payments');
    const made = (body['group_payments'] as { id: string; group_name: string }[]).filter(
      ({ group_name }) => group_name === 'Coach to Girona',
    );
    expect(made).toHaveLength(1);
    await page.getByRole('link', { name: 'Watch it here' }).click();
    await page.getByRole('link', { name: 'Duplicate' }).waitFor();
    await page.goto(`${shared.stack.dashboard}/live/audit`);
    await page.getByText(`group payment id ${made[0]?.id}`).first().waitFor();
  });

  /** Loses the answer to the first creation; returns the keys of all of them. */
  async function losesFirstAnswer(page: Page): Promise<string[]> {
    const keys: string[] = [];
    await page.route('**/api/live/group-payments', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key'] ?? '');
      if (keys.length > 1) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    return keys;
  }

  /** No gateway can be reached in live mode here: the connection is that of one that was verified. */
  async function connectLiveGateway(): Promise<void> {
    const { shared, merchant } = fixture;
    const sql = `insert into gateway_connections (merchant_id, mode, psp_code, version, active)
                 values ($1, 'live', 'gateway_a', 1, true)`;
    await askDatabase(shared.stack, 'merchant', sql, [merchant.merchant_id]);
  }
});

describe('the name of the business', () => {
  it('a new name of the business stands on the page of a bill that is open, and in the dashboard (K16)', async () => {
    const bill = await fixture.newGroup('Tapas');
    const visitor = await fixture.openAt('/test/branding', 'phone');
    const { page } = visitor;
    const name = page.getByRole('textbox', { name: 'Business name' });
    visitor.expects(/400/);
    await name.fill('Casa\u202E Nova');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('alert').waitFor();
    await visitor.expectAccessible();
    await name.fill('Casa Nova');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Casa Nova').first().waitFor({ state: 'attached' });
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-branding-name');
    const payer = await fixture.browser.visit('phone');
    await eventually(async () => {
      await payer.page.goto(bill.checkout_url);
      return (await payer.page.getByText('Payment to Casa Nova').count()) > 0 || undefined;
    });
  });
});

describe('the QR code of a bill', () => {
  it('the QR code of a bill stands above its link, and is printed without the dashboard', async () => {
    const visitor = await fixture.openAt(`/test/group-payments/${fixture.paid.group_payment.id}`, 'desktop');
    const { page } = visitor;
    await page.getByRole('button', { name: 'QR code' }).click();
    const dialog = page.getByRole('dialog', { name: 'QR code for payers' });
    const picture = dialog.getByRole('img', { name: 'QR code with the link for payers' });
    await picture.waitFor();
    await dialog.getByText(fixture.paid.checkout_url).waitFor();
    await visitor.expectAccessible();
    await page.emulateMedia({ media: 'print' });
    expect(await picture.isVisible()).toBe(true);
    expect(await dialog.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { level: 1, includeHidden: true }).isVisible()).toBe(false);
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  });
});
