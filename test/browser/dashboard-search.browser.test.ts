import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { badge } from './dashboard-page.ts';
import { openKeyboard } from './keyboard.ts';
import { PATIENCE_MS, type Visitor } from './support.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

/** Opens the search as a user without a mouse does. */
async function openSearch({ page }: Visitor) {
  const keyboard = openKeyboard(page);
  const field = page.getByRole('searchbox', { name: 'Search for' });
  // The screen listens for keys a moment after it is seen; a user presses again.
  await eventually(
    async () => {
      await keyboard.press('Control+k');
      return (await field.isVisible()) || undefined;
    },
    { withinMs: PATIENCE_MS },
  );
  return {
    keyboard,
    results: page.getByRole('dialog').getByRole('list', { name: 'Results' }).getByRole('link'),
  };
}

describe('the search of the dashboard', () => {
  it('the search finds from every screen what a payer says, by keyboard alone: the reference of the shop', async () => {
    const group = await fixture.newGroup('Cabin', [], { client_reference: 'ORD-4711' });
    const visitor = await fixture.openAt('/test/team', 'desktop');
    const { page } = visitor;
    const { keyboard, results } = await openSearch(visitor);
    await keyboard.type('ord-4711');
    await results.filter({ hasText: 'Cabin' }).waitFor();
    await visitor.expectAccessible();
    await keyboard.press('Enter');
    await page.waitForURL(`**/test/group-payments/${group.group_payment.id}`);
    await badge(page, 'open').waitFor();
    // The page of the group payment names it, too: the shop's people know no other name.
    await page.getByText('ORD-4711').waitFor();
    await visitor.screenshot('dashboard-group-reference');
  });

  it('the search finds a payer by the address, and leads to the customer and to the group payment', async () => {
    const visitor = await fixture.openAt('/test', 'phone');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('searchbox', { name: 'Search for' }).fill('ana@example.com');
    const results = page.getByRole('dialog').getByRole('list', { name: 'Results' }).getByRole('link');
    await results.filter({ hasText: 'Group payment' }).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-search');
    await results.filter({ hasText: 'Customer' }).click();
    await page.getByRole('heading', { level: 1, name: 'ana' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the search finds a payment by the reference on its receipt, which the timeline shows', async () => {
    const { payments } = await fixture.api.client.listPayments(fixture.paid.group_payment.id);
    const id = payments.find(({ customer_email }) => customer_email === 'ana@example.com')!.payment_intent_id;
    const visitor = await fixture.openAt('/test/money', 'desktop');
    const { page } = visitor;
    const { keyboard, results } = await openSearch(visitor);
    await keyboard.type(id);
    await results.filter({ hasText: 'Paid dinner' }).waitFor();
    await keyboard.press('ArrowDown', 'Enter');
    await page.getByText('ana paid €20.00').waitFor();
    await page.locator('.timeline').getByText(id).waitFor();
  });

  it('the search finds the bill whose link a payer pasted', async () => {
    const visitor = await fixture.openAt('/test/events', 'desktop');
    const { results } = await openSearch(visitor);
    await visitor.page.getByRole('searchbox', { name: 'Search for' }).fill(fixture.paid.checkout_url);
    await results.filter({ hasText: 'Paid dinner' }).waitFor();
    expect(await results.count()).toBe(1);
  });

  it('the search leads to a page by its title, and says when nothing is found', async () => {
    const visitor = await fixture.openAt('/test', 'desktop');
    const { page } = visitor;
    const { keyboard, results } = await openSearch(visitor);
    await keyboard.type('xylophone');
    await page.getByText(/^Nothing in this mode begins like this/).waitFor();
    await page.getByRole('searchbox', { name: 'Search for' }).fill('test clock');
    await results.filter({ hasText: 'Test clock' }).waitFor();
    await results.first().click();
    await page.waitForURL('**/test/test-clock');
  });
});
