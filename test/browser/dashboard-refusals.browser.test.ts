import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

/** Longer than a page needs to send what it has kept. */
const SENT_LATE_MS = 2_000;

it('without a network a refund and a new bill are refused at once, and neither is done when the network is back (Q116)', async () => {
  const { id } = fixture.paid.group_payment;
  const visitor = await fixture.openAt(`/test/group-payments/${id}`, 'desktop');
  const { page } = visitor;
  const sent: string[] = [];
  await page.getByRole('checkbox', { name: /^Slot 1/ }).check();
  await page.getByRole('button', { name: /^Refund \d slots?$/ }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: /^Refund €/ });
  await confirm.waitFor();
  await visitor.loseNetwork();
  await confirm.click();
  await dialog.getByText('The server could not be reached').waitFor();
  await visitor.screenshot('dashboard-refund-offline');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  await page.context().setOffline(false);
  await delay(SENT_LATE_MS);
  expect(sent).toEqual([]);
  expect((await fixture.api.findGroup(id)).group_payment.state).toBe('paid');

  await page.goto(`${fixture.shared.stack.dashboard}/test/group-payments/new`);
  const create = page.getByRole('button', { name: 'Create test payment' });
  await create.waitFor();
  await visitor.loseNetwork();
  sent.length = 0;
  await create.click();
  await page.getByText('The server could not be reached').waitFor();
  sent.length = 0;
  await page.context().setOffline(false);
  await delay(SENT_LATE_MS);
  expect(sent).toEqual([]);
});

it.each(['2.5', '31', '0'])(
  'a bill of %s slots is refused with the reason at the field, which keeps what was typed',
  async (count) => {
    const visitor = await fixture.openAt('/test/group-payments/new', 'desktop');
    const { page } = visitor;
    visitor.expects(/400/);
    const slots = page.getByRole('textbox', { name: /^Slots/ });
    await slots.fill(count);
    await page.getByRole('button', { name: 'Create test payment' }).click();
    await page.locator('#root [aria-invalid="true"]').waitFor();
    expect(await slots.getAttribute('aria-invalid')).toBe('true');
    expect(await slots.inputValue()).toBe(count);
    await visitor.expectAccessible();
    await visitor.screenshot(`dashboard-slots-${count.replace('.', '-')}`);
  },
);

it('a member whose session ends while a page is open reads so, and only needs the password', async () => {
  const visitor = await fixture.openAt('/test/group-payments', 'phone');
  const { page } = visitor;
  visitor.expects(/401/);
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);

  const late = await fixture.openAt('/test/group-payments', 'phone');
  late.expects(/401/);
  await late.page.context().clearCookies();
  await late.page.getByRole('link', { name: 'Paid dinner' }).first().click();
  await late.page.getByText('Your session has ended. Log in again to go on.').waitFor();
  expect(await late.page.getByLabel('E-mail').inputValue()).toBe(fixture.merchant.email);
  await late.expectAccessible();
  await late.screenshot('dashboard-session-ended');
  await late.page.locator('input[name="password"]').fill(fixture.merchant.password);
  await late.page.getByRole('button', { name: 'Log in' }).click();
  await late.page.getByRole('heading', { name: 'Paid dinner' }).waitFor();
});
