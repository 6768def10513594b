import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settled } from './dashboard-page.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

/** How far a table, and each button and cell of it, reaches beyond the right edge of the screen, px. */
const reach = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).evaluate((table) => {
    const inner = [...table.querySelectorAll('td, button, code')].map(
      (each) => each.getBoundingClientRect().right - document.documentElement.clientWidth,
    );
    return Math.max(table.scrollWidth - table.clientWidth, ...inner);
  });

describe('the tables of the account on a phone', () => {
  it.each([
    ['keys', 'API keys', 'Last used'],
    ['team', 'Members', 'Last seen'],
    ['audit', 'Audit log', 'Details'],
  ])(
    'the screen %s shows each row as a card that fits, with its headings and its buttons',
    async (path, name, heading) => {
      const visitor = await fixture.openAt(`/test/${path}`, 'phone');
      const { page } = visitor;
      const table = page.getByRole('region', { name, exact: true });
      await table.locator(`td[data-heading="${heading}"]`).first().waitFor();
      expect(await reach(page, name)).toBeLessThanOrEqual(0);
      const shown = await table
        .locator(`td[data-heading="${heading}"]`)
        .first()
        .evaluate((cell) => getComputedStyle(cell, '::before').content);
      expect(shown).toContain(heading);
      // What a row is called stands at the start of its card.
      const called = table.locator('tbody tr').first().locator('td').first().locator('> *').first();
      expect((await called.boundingBox())?.x).toBeLessThan(60);
      await visitor.expectAccessible();
      await visitor.screenshot(`dashboard-${path}`);
    },
  );
});

it('without a network a screen that was not loaded yet says that the connection is gone, not that the page is at fault', async () => {
  const visitor = await fixture.openAt('/test/group-payments', 'desktop');
  const { page } = visitor;
  await visitor.loseNetwork();
  visitor.expects(/dynamically imported module/);
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByText('The server could not be reached').waitFor();
  await page.getByText('Check your connection and try again.').waitFor();
  expect(await page.getByText('ran into a fault').count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
});

it('the test clock says of a bill with a minimum that its holds are captured, and of another one that they are released (Q90)', async () => {
  await fixture.newGroup('Regatta', [], { capture_at_expiry: { minimum_amount: 20 } });
  await fixture.newGroup('Picnic');
  const visitor = await fixture.openAt('/test/test-clock', 'phone');
  const { page } = visitor;
  const next = page.getByRole('list', { name: 'Group payments that expire next' }).getByRole('listitem');
  await next
    .filter({ hasText: 'Regatta' })
    .getByText('captured if at least €20.00 is held, released otherwise')
    .waitFor();
  await next.filter({ hasText: 'Picnic' }).getByText('its holds are released').waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('dashboard-clock');
});

it('a slot that nobody has taken is available, not free', async () => {
  const group = await fixture.newGroup('Open slots');
  const { page } = await fixture.openAt(`/test/group-payments/${group.group_payment.id}`, 'phone');
  await settled(page);
  const slots = page.getByRole('list', { name: 'Slots' });
  await slots.getByText('available', { exact: true }).first().waitFor();
  expect(await slots.getByText('available', { exact: true }).count()).toBe(3);
  expect(await page.getByText('free', { exact: true }).count()).toBe(0);
});

it('the quick start writes the chosen look of the widget into its code, and names a colour that the widget would refuse', async () => {
  const visitor = await fixture.openAt('/test/quick-start', 'phone');
  const { page } = visitor;
  const code = page.getByRole('region', { name: '3. Show the widget' });
  await page.getByLabel('Language').fill('nl');
  await page.getByLabel('Colour scheme').selectOption('Dark');
  await page.getByLabel('Corner radius').fill('4');
  await code.getByText('data-radius="4"').waitFor();
  await code.getByText("locale: 'nl',").waitFor();
  await code.getByText("theme: { colorScheme: 'dark', radius: 4 },").waitFor();
  await page.getByLabel('Background').fill('puce');
  await page.getByText('Must be a colour such as #f6f1e7').waitFor();
  expect(await code.getByText(/puce/).count()).toBe(0);
  await visitor.expectAccessible();
  await visitor.screenshot('dashboard-quick-start');
});

it('on a phone the two dates of a customer have their names', async () => {
  const visitor = await fixture.openAt('/test/customers', 'phone');
  const { page } = visitor;
  const ana = page.getByRole('list', { name: 'Customers' }).getByRole('link').filter({ hasText: 'ana@' });
  for (const name of ['First payment:', 'Latest payment:']) {
    const box = await ana.getByText(name).boundingBox();
    expect(box?.width).toBeGreaterThan(60);
  }
  await visitor.expectAccessible();
});
