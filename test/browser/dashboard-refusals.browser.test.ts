import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Visitor } from './support.ts';
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

/** Ends the session of a visitor, who notices it by this act, and logs the merchant in again. */
async function logInAgain(visitor: Visitor, act: () => Promise<void>): Promise<void> {
  const { page } = visitor;
  visitor.expects(/401/);
  await page.context().clearCookies();
  await act();
  await page.getByText('Log in again to go on: what you typed is still here.').waitFor();
  await page.locator('input[name="password"]').fill(fixture.merchant.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

it('a form that was filled in when the session ended is as it was after the login, and is empty the next time', async () => {
  const visitor = await fixture.openAt('/test/group-payments/new', 'phone');
  const { page } = visitor;
  await page.getByLabel('Name').fill('Padel and beer');
  await page.getByText('By hand').click();
  await page.getByLabel('Label of slot 1').fill('Court');
  const create = page.getByRole('button', { name: 'Create test payment' });
  await logInAgain(visitor, () => create.click());
  expect(await page.getByLabel('Label of slot 1').inputValue()).toBe('Court');
  expect(await page.getByLabel('Name').inputValue()).toBe('Padel and beer');
  await visitor.screenshot('dashboard-form-kept');
  await create.click();
  await page.getByRole('button', { name: 'Create another' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Dinner for three');
});

it('a dialog that was filled in when the session ended is open and as it was after the login', async () => {
  const visitor = await fixture.openAt('/test/webhooks', 'desktop');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('URL').fill('https://shop.example/hooks');
  await dialog.getByRole('checkbox', { name: 'group_payment.paid' }).check();
  await logInAgain(visitor, () => dialog.getByRole('button', { name: 'Add endpoint' }).click());
  expect(await dialog.getByLabel('URL').inputValue()).toBe('https://shop.example/hooks');
  expect(await dialog.getByRole('checkbox', { name: 'group_payment.paid' }).isChecked()).toBe(true);
});
