import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settled } from './dashboard-page.ts';
import { openKeyboard } from './keyboard.ts';
import { useDashboard } from './use-browser.ts';

/** What the first visit may load, responses of the backend included, bytes. */
const MOST_OF_LOGIN = 128_000;
const MOST_OF_HOME = 196_000;

const fixture = useDashboard();

/** Returns what the page has loaded: each file or response with the bytes of its body, compressed as the server sent it. */
const listLoaded = (page: Page) =>
  page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => ({
        path: new URL(entry.name).pathname,
        bytes: (entry as PerformanceResourceTiming).encodedBodySize,
      }),
    ),
  );

const sum = (loaded: readonly { readonly bytes: number }[]) =>
  loaded.reduce((all, { bytes }) => all + bytes, 0);
const name = (loaded: readonly { readonly path: string }[]) => loaded.map(({ path }) => path).join(' ');

describe('the first load of the dashboard', () => {
  it(`the login is ${MOST_OF_LOGIN / 1_000} kB at most, as the server sends it`, async () => {
    const { page } = await fixture.browser.visit('phone');
    await page.goto(`${fixture.shared.stack.dashboard}/login`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    const loaded = await listLoaded(page);
    expect(name(loaded)).toMatch(/\.js/);
    expect(loaded.filter(({ path }) => path.endsWith('.css'))).toHaveLength(1);
    expect(sum(loaded)).toBeGreaterThan(60_000);
    expect(sum(loaded)).toBeLessThanOrEqual(MOST_OF_LOGIN);
  });

  it('a visitor without a session is asked to log in after one request', async () => {
    const visitor = await fixture.browser.visit('phone');
    const { page } = visitor;
    visitor.expects(/401/);
    const asked: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 401) asked.push(new URL(response.url()).pathname);
    });
    await page.goto(`${fixture.shared.stack.dashboard}/test/team`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/test/team');
    expect(asked).toEqual(['/api/me']);
  });

  it(`home is ${MOST_OF_HOME / 1_000} kB at most with its charts, and what a press opens is loaded by the press`, async () => {
    const { page } = await fixture.openAt('/test', 'desktop');
    // In a document of its own: the login was the first of the visit.
    await page.goto(`${fixture.shared.stack.dashboard}/test`);
    await page.getByRole('img', { name: 'Money by day' }).waitFor();
    const loaded = await listLoaded(page);
    expect(sum(loaded)).toBeGreaterThan(120_000);
    expect(sum(loaded)).toBeLessThanOrEqual(MOST_OF_HOME);
    expect(name(loaded)).not.toMatch(/menu|dialog/i);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    expect(name(await listLoaded(page))).toMatch(/menu/i);
  });

  it('by keyboard the dialog of the account opens with its first press, and gives the focus back', async () => {
    const visitor = await fixture.openAt('/test/team', 'desktop');
    const { page } = visitor;
    const { press, to, isMovedTo } = openKeyboard(page);
    await to(/^Account$/);
    await press('Enter');
    await page.getByRole('dialog', { name: 'Account' }).getByText('owner').waitFor();
    await visitor.expectAccessible();
    await to(/^Dark$/);
    await press('Enter');
    await page.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'dark');
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
    await visitor.expectAccessible();
    await press('Escape');
    await isMovedTo('Account');
  });
});

describe('the charts of home', () => {
  it.each([
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const)(
    'the charts of home are accessible and fit on a %s that is %s, with their values as a table',
    async (screen, colorScheme) => {
      const visitor = await fixture.openAt('/test', screen, { colorScheme });
      const { page } = visitor;
      const money = page.getByRole('img', { name: 'Money by day' });
      await money.waitFor();
      await page.getByRole('img', { name: 'Attempts by day' }).waitFor();
      const description = await money.getAttribute('aria-describedby');
      const words = await page.locator(`[id="${description}"]`).textContent();
      expect(words).toMatch(/^From .+ to .+: €[\d.]+ held, €30\.00 captured, €[\d.]+ refunded\.$/);
      const sums = page.getByRole('region', { name: 'Held and captured' });
      await sums.getByText('Captured money was held first, so held and captured overlap').waitFor();
      expect(await sums.getByRole('link', { name: 'Money' }).getAttribute('href')).toBe('/test/money');
      await visitor.screenshot(`dashboard-home-${colorScheme}`);
      await page.getByText('Show the values').first().press('Enter');
      const table = page.getByRole('group', { name: 'Values of Money by day' });
      await table.getByRole('row').nth(1).waitFor();
      expect(await table.getByRole('row').nth(1).innerText()).toMatch(/€30\.00/);
      await visitor.expectAccessible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    },
  );

  it('nothing of home moves when its charts come', async () => {
    const { page } = await fixture.openAt('/test', 'desktop');
    await page.addInitScript(() => {
      Object.assign(globalThis, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          Object.assign(globalThis, {
            moved: (globalThis as unknown as { moved: number }).moved + entry.value,
          });
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${fixture.shared.stack.dashboard}/test`);
    await page.getByRole('img', { name: 'Attempts by day' }).waitFor();
    await settled(page);
    const moved = await page.evaluate(() => (globalThis as unknown as { moved: number }).moved);
    expect(moved).toBeLessThan(0.1);
  });
});
