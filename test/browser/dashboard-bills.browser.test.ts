import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openDashboardFixture, type DashboardFixture } from './dashboard-fixture.ts';
import { BROWSER_START_MS } from './support.ts';

let fixture: DashboardFixture;

beforeAll(async () => {
  fixture = await openDashboardFixture();
}, BROWSER_START_MS);

afterEach(() => fixture?.browser.dismiss());

afterAll(() => fixture?.close(), BROWSER_START_MS);

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
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByRole('link', { name: 'Watch it here' }).click();
      const slots = page.getByRole('region', { name: 'Slots' });
      await slots.getByText('Court').waitFor();
      await slots.getByText('€20.50').waitFor();
      await slots.getByText('€4.00').waitFor();
      if (bill === 1) await page.getByRole('link', { name: 'Make another' }).click();
    }
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
