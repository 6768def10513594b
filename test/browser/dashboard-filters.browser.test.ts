import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settled } from './dashboard-page.ts';
import { openKeyboard } from './keyboard.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

const menu = (page: Page) => page.getByRole('button', { name: 'Saved filters' });
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function save(page: Page, name: string): Promise<void> {
  await menu(page).click();
  await entry(page, 'Save these filters…').click();
  const dialog = page.getByRole('dialog', { name: 'Save these filters' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('saved filters (K17)', () => {
  it('filters that are saved on a phone are opened on another device, and only in their mode and list (S9)', async () => {
    const phone = await fixture.openAt('/test/group-payments?state=paid&search=', 'phone');
    await phone.page.getByLabel('State').waitFor();
    await save(phone.page, 'Paid bills');
    await menu(phone.page).click();
    await entry(phone.page, 'Paid bills').waitFor();
    await phone.expectAccessible();
    expect(await overflow(phone.page)).toBeLessThanOrEqual(0);
    await phone.screenshot('dashboard-saved-filters');
    const { page } = await fixture.openAt('/test/group-payments', 'desktop');
    await menu(page).click();
    await entry(page, 'Paid bills').click();
    await page.waitForURL('**/test/group-payments?state=paid');
    // The address changes before the screen does.
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('paid');
    await page.goBack();
    await page.waitForURL('**/test/group-payments');
    for (const path of ['/live/group-payments', '/test/customers']) {
      await page.goto(fixture.shared.stack.dashboard + path);
      await settled(page);
      await menu(page).click();
      await entry(page, 'Save these filters (choose some first)').waitFor();
      expect(await entry(page, 'Paid bills').count()).toBe(0);
    }
  });

  it.each([
    ['events', '?delivered=false'],
    ['requests', '?status_class=4xx'],
    ['customers', '?created_after=2026-03-01T00%3A00%3A00.000Z'],
  ])('the list of %s saves its filters and opens them again', async (list, query) => {
    const { page } = await fixture.openAt(`/test/${list}${query}`, 'desktop');
    await save(page, `Of ${list}`);
    await page.goto(`${fixture.shared.stack.dashboard}/test/${list}`);
    await settled(page);
    await menu(page).click();
    await entry(page, `Of ${list}`).click();
    await page.waitForURL(`**/test/${list}${query}`);
  });

  it('by keyboard filters are saved, renamed and deleted, and the focus stays where the user works', async () => {
    const visitor = await fixture.openAt('/test/group-payments?state=open', 'desktop');
    // The second filter has a name that is taken.
    visitor.expects(/409.*saved-filters/);
    const { page } = visitor;
    const { press, type, to, isMovedTo } = openKeyboard(page);
    const choose = async (name: RegExp) => {
      await to(/^Saved filters$/);
      await press('Enter');
      await to(name, 'ArrowDown');
      await press('Enter');
    };
    await choose(/^Save these filters…$/);
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await visitor.expectAccessible();
    await type('Open bills');
    await press('Enter');
    await isMovedTo('Saved filters');
    await choose(/^Save these filters…$/);
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await type('Open bills');
    await press('Enter');
    await page.getByText('another saved filter of this list has this name').first().waitFor();
    await press('Escape');
    await isMovedTo('Saved filters');
    await choose(/^Rename or delete…$/);
    const dialog = page.getByRole('dialog', { name: 'Saved filters' });
    await dialog.waitFor();
    await visitor.expectAccessible();
    await to(/^Name of Open bills$/);
    await press('End');
    await type(' of today');
    await press('Enter');
    await dialog.getByRole('button', { name: 'Delete Open bills of today' }).waitFor();
    await to(/^Delete Open bills of today$/);
    await press('Enter');
    await dialog.getByRole('button', { name: 'Delete Open bills of today' }).waitFor({ state: 'detached' });
    await page.waitForFunction(
      () =>
        document.activeElement !== document.body &&
        document.activeElement?.closest('[role="dialog"]') !== null,
    );
    await press('Escape');
    await isMovedTo('Saved filters');
  });
});
