import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { send } from '../support/api.ts';
import { badge, settled } from './dashboard-page.ts';
import { BROWSER_START_MS } from './support.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

beforeAll(async () => {
  const { api, newGroup, pay } = fixture;
  const paid = await newGroup('Paella', [], { total_amount: 30.03 });
  await pay(paid, 'vera@example.com', [0, 1]);
  await pay(paid, 'wim@example.com', [2]);
  await api.becomes(paid.group_payment.id, ['paid']);
  await api.client.refundGroupPayment(paid.group_payment.id, { slot_ids: [paid.payment_slots[0]!.id] });
  const held = await newGroup('Tapas', [], { currency: 'NOK' });
  await pay(held, 'vera@example.com', [0]);
  await api.slotBecomes(held.group_payment.id, 0, 'preauthorised');
  const declined = await newGroup('Bowling');
  await api.client.createTestPayment(declined.group_payment.id, {
    ...{ customer_email: 'xaver@example.com', customer_name: 'xaver', card: 'insufficient_funds' },
    slot_ids: [declined.payment_slots[0]!.id],
  });
}, BROWSER_START_MS);

const rows = (page: Page, list = 'Customers') =>
  page.getByRole('list', { name: list, exact: true }).getByRole('link');

/** The amounts of a section of a customer's page. */
const amounts = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section, exact: true })
    .locator('data')
    .evaluateAll((all) => all.map((each) => each.getAttribute('value')));

describe('the customers of a merchant', () => {
  it('a member finds who paid, sees the sums to the cent, and comes from a payment to its group payment (Q65)', async () => {
    const visitor = await fixture.openAt('/test/customers', 'desktop');
    const { page } = visitor;
    const vera = rows(page).filter({ hasText: 'vera@example.com' });
    await vera.waitFor();
    await visitor.screenshot('dashboard-customers');
    await vera.click();
    await badge(page, 'vera').waitFor();
    await rows(page, 'Payments').first().waitFor();
    expect(await amounts(page, 'Paid in EUR')).toEqual(['0.00', '20.02', '20.02']);
    expect(await amounts(page, 'Paid in NOK')).toEqual(['10.00', '0.00', '0.00']);
    const counts = page.getByRole('list', { name: 'Payments by state' }).getByRole('listitem');
    expect(await counts.allTextContents()).toEqual(['1 held', '1 refunded']);
    await visitor.screenshot('dashboard-customer');
    await rows(page, 'Payments').filter({ hasText: '20.02' }).click();
    await badge(page, 'Paella').waitFor();
    await page.getByRole('list', { name: 'Slots' }).getByRole('link', { name: 'wim' }).click();
    await badge(page, 'wim').waitFor();
    await page.getByRole('link', { name: 'All customers' }).click();
    await page.waitForURL('**/test/customers');
  }, 120_000);

  it('the search of group payments and that of customers find a customer by name and by address (Q65)', async () => {
    const { page } = await fixture.openAt('/test/group-payments', 'desktop');
    for (const [path, text] of [
      ['group-payments', 'WIM'],
      ['group-payments', 'Wim@example.com'],
      ['customers', 'wi'],
      ['customers', 'wim@example.com'],
    ] as const) {
      await page.goto(`${fixture.shared.stack.dashboard}/test/${path}`);
      const search = page.getByLabel('Search');
      await search.fill(text);
      await search.press('Enter');
      await page.waitForURL(`**/test/${path}?${new URLSearchParams({ search: text }).toString()}`);
      await rows(page).filter({ hasText: 'wim@example.com' }).waitFor();
    }
    await page.goto(`${fixture.shared.stack.dashboard}/test/customers?search=nobody`);
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await rows(page).first().waitFor();
  }, 120_000);

  it('the page of a customer says in words why a payment failed, and that another one is disputed; the list shows those in dispute alone (Q65, Q112)', async () => {
    const { shared, newGroup, pay, api, openAt } = fixture;
    const disputed = await newGroup('Spa day');
    await pay(disputed, 'xaver@example.com', [0, 1, 2]);
    const { id } = disputed.group_payment;
    await api.becomes(id, ['paid']);
    const { payments } = await api.client.listPayments(id);
    await send(
      'POST',
      `${shared.stack.sandbox}/control/payments/${payments[0]!.gateway_reference}/external`,
      {
        action: 'dispute',
      },
    );
    const visitor = await openAt(`/test/group-payments/${id}`, 'phone');
    const { page } = visitor;
    await page.getByText('xaver disputes €30.00 (slot 1, 2, 3)').waitFor();
    await page.getByText('Answer it in the dashboard of the gateway').waitFor();
    await badge(page, 'disputed').waitFor();
    // The gateway would refuse it.
    expect(await page.getByRole('button', { name: /refund/i }).count()).toBe(0);
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-disputed');
    await page.getByRole('list', { name: 'Slots' }).getByRole('link', { name: 'xaver' }).first().click();
    const failed = rows(page, 'Payments').filter({ hasText: 'Bowling' });
    await failed.getByText('The card was declined: insufficient funds.').waitFor();
    await rows(page, 'Payments').filter({ hasText: 'Spa day' }).getByText('disputed').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-customer-in-trouble');
    await page.goto(`${shared.stack.dashboard}/test/group-payments`);
    const listed = (name: string) => rows(page, 'Group payments').filter({ hasText: name });
    await listed('Spa day').getByText('disputed').waitFor();
    expect(await listed('Bowling').getByText('disputed').count()).toBe(0);
    await page.getByLabel('Dispute').selectOption('In dispute');
    await page.waitForURL('**/test/group-payments?disputed=true');
    await page.getByText('1 group payment', { exact: true }).first().waitFor();
    await listed('Bowling').waitFor({ state: 'detached' });
    expect(await rows(page, 'Group payments').count()).toBe(1);
    await listed('Spa day').getByText('disputed').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-disputed-in-list');
  }, 120_000);

  it('on a phone the page of a customer is reached by touch, is accessible, and fits (Q65)', async () => {
    const visitor = await fixture.openAt('/test/customers', 'phone');
    const { page } = visitor;
    await visitor.expectAccessible();
    await rows(page).filter({ hasText: 'vera@example.com' }).click();
    await badge(page, 'vera').waitFor();
    await settled(page);
    await rows(page, 'Payments').first().waitFor();
    await visitor.screenshot('dashboard-customer-phone');
    await visitor.expectAccessible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }, 120_000);

  it('by keyboard a refund is looked at and left, and the focus is where it was; what came back and what did not is told', async () => {
    const { page } = await fixture.openAt('/test/group-payments', 'desktop');
    await rows(page, 'Group payments').filter({ hasText: 'Paella' }).click();
    await page.getByText('Captured, not refunded').waitFor();
    const button = page.getByRole('button', { name: 'Refund everything' });
    await button.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Refund everything');
    await page.route('**/api/test/group-payments/*', async (route) => {
      const answer = await route.fetch();
      const detail = (await answer.json()) as { group_payment: { state: string } };
      detail.group_payment.state = 'refund_failed';
      await route.fulfill({ response: answer, json: detail });
    });
    await page.reload();
    await page.getByText('The last refund gave nothing back').waitFor();
  }, 120_000);

  it('on 320 px, which a zoom of 400 % leaves, long words of a heading break, and the rows of a wide table are cards that fit', async () => {
    const visitor = await fixture.openAt('/test/events', 'phone');
    const { page } = visitor;
    await page.setViewportSize({ width: 320, height: 512 });
    await rows(page, 'Events').filter({ hasText: 'payment_intent.preauthorised' }).first().click();
    await badge(page, 'payment_intent.preauthorised').waitFor();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.goto(`${fixture.shared.stack.dashboard}/test/team`);
    const table = page.getByRole('region', { name: 'Members' });
    await table.getByText('Owner').waitFor();
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await visitor.expectAccessible();
  }, 120_000);

  it('live mode has no customers of test mode, and says who will be there (S9)', async () => {
    const { page } = await fixture.openAt('/live/customers', 'desktop');
    await page.getByText('No customers yet').waitFor();
    expect(await page.content()).not.toContain('vera@');
  });
});
