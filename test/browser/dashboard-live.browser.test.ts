import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Group } from '../support/api.ts';
import { arriveAt, badge } from './dashboard-page.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

/** Marks the document; the mark is gone after a reload. */
const mark = (page: Page) => page.evaluate(() => void (document.documentElement.dataset['marked'] = 'yes'));
const isMarked = (page: Page) => page.evaluate(() => document.documentElement.dataset['marked'] === 'yes');

const listed = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Group payments' }).getByRole('link', { name });

async function newPartlyPaid(name: string): Promise<Group> {
  const group = await fixture.newGroup(name);
  await fixture.pay(group, 'ana@example.com', [0]);
  await fixture.api.slotBecomes(group.group_payment.id, 0, 'preauthorised');
  return group;
}

it('a group payment that is paid and refunded over the API changes in the list and on its page without a reload (Q53)', async () => {
  const group = await newPartlyPaid('Live dinner');
  const { id } = group.group_payment;
  const { page: list } = await fixture.openAt('/test/group-payments', 'desktop');
  const { page: detail } = await fixture.openAt(`/test/group-payments/${id}`, 'desktop');
  await listed(list, 'Live dinner').getByText('partly held').waitFor();
  for (const page of [list, detail]) await mark(page);
  const search = list.getByLabel('Search');
  await search.fill('Live di');
  const chapter = detail.locator('.timeline > li', { hasText: /^ana / });
  await chapter.locator('summary').first().click();

  await fixture.pay(group, 'ben@example.com', [1, 2]);
  await listed(list, 'Live dinner').getByText('paid', { exact: true }).waitFor();
  await badge(detail, 'paid').waitFor();
  await detail.getByText(/^ben paid €20\.00/).waitFor();
  await chapter.getByText(/^ana paid €10\.00/).waitFor();
  await fixture.api.client.refundGroupPayment(id, {});
  await badge(detail, 'refunded').waitFor();
  await listed(list, 'Live dinner').getByText('refunded', { exact: true }).waitFor();
  await fixture.newGroup('Another dinner');
  await listed(list, 'Another dinner').getByText('open', { exact: true }).waitFor();

  expect(await search.inputValue()).toBe('Live di');
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await chapter.locator('details').first().getAttribute('open')).not.toBeNull();
  expect([await isMarked(list), await isMarked(detail)]).toEqual([true, true]);
});

it('the events of a group payment and their deliveries appear by themselves (Q53)', async () => {
  const group = await newPartlyPaid('Live events');
  const { id } = group.group_payment;
  const { page: events } = await fixture.openAt(`/test/events?group_payment_id=${id}`, 'desktop');
  const { page: webhooks } = await fixture.openAt('/test/webhooks', 'desktop');
  await webhooks.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
  const deliveries = webhooks.locator('details.delivery');
  const others = deliveries.filter({ hasText: 'preauthorised' }).first();
  await others.waitFor();
  await webhooks
    .getByRole('region', { name: 'Deliveries' })
    .getByLabel('Event')
    .selectOption('group_payment.paid');
  await webhooks.waitForURL(/event_type=group_payment\.paid/);
  await others.waitFor({ state: 'detached' });
  await deliveries.first().waitFor();
  const before = await deliveries.count();
  await deliveries.first().locator('summary').click();
  for (const page of [events, webhooks]) await mark(page);
  await fixture.pay(group, 'ben@example.com', [1, 2]);
  const rows = events.getByRole('list', { name: 'Events' });
  await rows.getByRole('link', { name: 'group_payment.paid' }).waitFor();
  await deliveries.nth(before).waitFor();
  expect(await deliveries.evaluateAll((all) => all.map((each) => each.hasAttribute('open')))).toEqual(
    Array.from({ length: before + 1 }, (_, index) => index === 1),
  );
  expect([await isMarked(events), await isMarked(webhooks)]).toEqual([true, true]);
});

it('the place that a reader has scrolled to stays while new rows come above it (Q53)', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await fixture.newGroup(`Row ${name}`);
  const { page } = await fixture.openAt('/test/group-payments', 'phone');
  const kept = listed(page, 'Row One');
  await kept.evaluate((row) => row.scrollIntoView({ block: 'center' }));
  const placeOf = () => kept.evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await placeOf();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await fixture.newGroup('Row above');
  await listed(page, 'Row above').waitFor();
  expect(Math.abs((await placeOf()) - before)).toBeLessThanOrEqual(1);
});

it('a page says when live updates are interrupted for long, and no more when they are back (Q53)', async () => {
  const visitor = await fixture.browser.visit('phone');
  const { page } = visitor;
  visitor.expects(/ERR_FAILED/);
  await page.clock.install();
  await page.route('**/api/test/changes', (route) => route.abort('failed'));
  const { merchant: person, shared } = fixture;
  await arriveAt(visitor, shared.stack.dashboard, { person, path: '/test/webhooks' });
  const hint = page.getByText('Live updates are interrupted');
  expect(await hint.count()).toBe(0);
  await page.clock.fastForward(31_000);
  await hint.waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('dashboard-live-interrupted');
  await page.unroute('**/api/test/changes');
  await page.clock.fastForward(31_000);
  await hint.waitFor({ state: 'detached' });
});

/** Runs in the page: ends the session behind its back. */
async function logOut(): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch('/api/logout', { method: 'POST', body: '{}', headers })).status;
}

it('a page leads to the login by itself when its session has ended (Q53)', async () => {
  const visitor = await fixture.openAt('/test/group-payments', 'desktop');
  const { page } = visitor;
  visitor.expects(/401/);
  await listed(page, 'Paid dinner').waitFor();
  expect(await page.evaluate(logOut)).toBe(200);
  await page.waitForURL(/\/login\?next=/);
});
