import { describe, expect, it } from '@jest/globals';
import { settled } from './dashboard-page.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

const SCREENS: Readonly<Record<string, () => string>> = {
  home: () => '/test',
  'home-live': () => '/live',
  'group-payments': () => '/test/group-payments',
  customers: () => '/test/customers',
  money: () => '/test/money',
  movements: () => '/test/money/movements',
  'group-payment': () => `/test/group-payments/${fixture.paid.group_payment.id}`,
  'new-payment': () => '/test/group-payments/new',
  'new-payment-live': () => '/live/group-payments/new',
  webhooks: () => '/test/webhooks',
  events: () => '/test/events',
  requests: () => '/test/requests',
  'test-clock': () => '/test/test-clock',
  'sandbox-cards': () => '/test/sandbox-cards',
  origins: () => '/test/origins',
  branding: () => '/test/branding',
  'payer-mails': () => '/test/payer-mails',
  organisers: () => '/test/organisers',
  'quick-start': () => '/test/quick-start',
  keys: () => '/test/keys',
  gateways: () => '/test/gateways',
  team: () => '/test/team',
  audit: () => '/test/audit',
  profile: () => '/test/profile',
};

describe('Every screen of the dashboard is accessible, light and dark, and fits', () => {
  it.each(['phone', 'desktop'] as const)(
    'every screen of the dashboard on a %s is accessible in both themes, and fits',
    async (screen) => {
      const visitor = await fixture.openAt('/test', screen);
      const { page } = visitor;
      const inspect = async (name: string): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page
            .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
            .waitFor({ state: 'attached' });
          await visitor.screenshot(`dashboard-${name}-${colorScheme}`);
          if (colorScheme === 'light') await visitor.expectAccessible();
          else await visitor.expectReadableColours();
        }
        const overflow = await page.evaluate(
          // Space kept for a scroll bar may be left over.
          () => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        );
        expect({ name, overflow }).toEqual({ name, overflow: 0 });
      };
      for (const [name, pathOf] of Object.entries(SCREENS)) {
        await page.goto(fixture.shared.stack.dashboard + pathOf());
        await settled(page);
        // The network is never idle: each screen follows a stream.
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        await inspect(name);
      }
      await page.goto(`${fixture.shared.stack.dashboard}/test/customers`);
      await page.getByRole('list', { name: 'Customers' }).getByRole('link').first().click();
      await page.getByRole('list', { name: 'Payments', exact: true }).getByRole('link').first().waitFor();
      await inspect('customer');
      await page.goto(`${fixture.shared.stack.dashboard}/test/webhooks`);
      await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
      await page.locator('details summary').first().click();
      await inspect('webhook');
      await page.goto(`${fixture.shared.stack.dashboard}/test/events`);
      await page.getByRole('list', { name: 'Events' }).getByRole('link').first().click();
      await page.getByRole('region', { name: 'Body of the event' }).waitFor();
      await inspect('event');
      await page.goto(`${fixture.shared.stack.dashboard}/test/requests`);
      await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click();
      await page.getByRole('region', { name: 'What was answered' }).waitFor();
      await inspect('request');
    },
    480_000,
  );
});
