import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { tokenMailedTo } from '../support/dashboard.ts';
import { countClicks } from './clicks.ts';
import { settled } from './dashboard-page.ts';
import { GOOD_CARD, payerPage } from './payer-page.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser, type Visitor } from './support.ts';

let shared: SharedStack;
let browser: TestBrowser;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: [] });
  browser = await openBrowser();
}, BROWSER_START_MS + 120_000);
afterEach(() => browser?.dismiss());
afterAll(async () => {
  await browser?.close();
  await shared?.close();
});

const password = 'correct horse battery';
const at = (path: string) => `${shared.stack.dashboard}${path}`;
const newPerson = () => ({ email: `${randomUUID()}@shop.example`, password });
/** The secret of the newest link that was mailed. */
async function mailedTo(email: string): Promise<string> {
  for (;;) {
    const token = await tokenMailedTo(shared.stack, email);
    if (token !== undefined) return token;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const fill = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).fill(value);
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function signUp(visitor: Visitor, email: string): Promise<void> {
  const { page } = visitor;
  visitor.expects(/401/);
  await page.goto(at('/sign-up'));
  await page.getByLabel('Business name').fill('Casa Lola');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await press(page, 'Create account');
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await visitor.expectAccessible();
  await page.goto(at(`/sign-up/confirm#token=${await mailedTo(email)}`));
  await press(page, 'Open my dashboard');
  await page.waitForURL(at('/test'));
}

async function logIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto(at('/login'));
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await press(page, 'Log in');
}

describe('a new merchant', () => {
  it('a new merchant gets from the sign-up to a first test payment with the pages alone', async () => {
    const visitor = await browser.visit('desktop');
    const { page } = visitor;
    const { email } = newPerson();
    await signUp(visitor, email);
    await page.goto(at('/test/gateways'));
    await settled(page);
    await visitor.expectAccessible();
    await visitor.screenshot('gateways-empty');
    await press(page, /Use a sandbox account for Gateway B/);
    await page.getByText('Active', { exact: true }).waitFor();
    await visitor.screenshot('gateways-connected');
    await page.goto(at('/test/keys'));
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('keys-empty');
    await press(page, 'Create key');
    await page.getByRole('textbox', { name: 'Name' }).fill('shop server');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const text = await page.getByText(/^sk_test_\w+$/).textContent();
    await visitor.screenshot('keys-shown-once');
    await press(page, /I have stored it/);
    await page.getByText(/^sk_test_\w+$/).waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(text);
    await visitor.expectAccessible();
    await visitor.screenshot('keys');
    const answer = await fetch(`${shared.stack.api}/v1/group-payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        group_name: 'Dinner',
        total_amount: 30,
        currency: 'EUR',
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        distribution: { type: 'equally', number_of_slots: 3 },
      }),
    });
    expect(answer.status).toBe(201);
    await page.goto(at('/test/group-payments'));
    await page.getByText('Dinner').first().waitFor();
  }, 180_000);

  it('a new merchant comes from the login page to a first paid test group in ten clicks, that on the link in the mail included', async () => {
    const visitor = await browser.visit('desktop');
    const { page } = visitor;
    const clicks = await countClicks(page.context());
    const { email } = newPerson();
    visitor.expects(/401/);
    await page.goto(at('/login'));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Business name').fill('Casa Lola');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await press(page, 'Create account');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await page.goto(at(`/sign-up/confirm#token=${await mailedTo(email)}`));
    await press(page, 'Open my dashboard');
    await press(page, 'Use a sandbox account');
    await page.waitForURL(at('/test/group-payments/new'));
    await page.getByText('Gateway A is connected to a sandbox account.').waitFor();
    // The form is filled in and has the focus: its first field can be typed into at once.
    await page.waitForFunction(
      () => (document.activeElement as HTMLInputElement).value === 'Dinner for three',
    );
    expect(await page.getByText('No gateway is connected').count()).toBe(0);
    await visitor.expectAccessible();
    await visitor.screenshot('first-day-bill');
    await press(page, 'Create test payment');
    const bill = page.getByRole('link', { name: 'Open the checkout page' });
    const [opened] = await Promise.all([page.context().waitForEvent('page'), bill.click()]);
    const payer = payerPage({ ...visitor, page: opened });
    await payer.button(/^Take all 3 available shares/).click();
    await opened.getByLabel('E-mail').fill('ana@payers.example');
    await payer.button(/^Continue with/).click();
    await opened.getByLabel('Name on the card').fill('Ana Example');
    await payer.typeCard(GOOD_CARD);
    await payer.pay();
    await payer.heading('All paid. Thank you!').waitFor();
    const ofTheMail = 1;
    expect(clicks.count() + ofTheMail).toBeLessThanOrEqual(10);
    expect(clicks.count()).toBeGreaterThanOrEqual(8);
  }, 180_000);

  it('a new merchant sees the pages before the login on a phone, without a fault', async () => {
    const visitor = await browser.visit('phone');
    visitor.expects(/401/);
    for (const path of ['login', 'sign-up', 'reset-password', 'sign-up/confirm', 'invitation']) {
      await visitor.page.goto(at(`/${path}`));
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
      await visitor.page.waitForLoadState('networkidle');
      await visitor.expectAccessible();
      await visitor.screenshot(`account-${path.replace('/', '-')}`);
    }
  });
});

describe('a second factor', () => {
  it('a second factor is set up by keyboard and required at the next login, and a wrong code gets an instruction', async () => {
    const visitor = await browser.visit('desktop');
    const { page } = visitor;
    const person = newPerson();
    await signUp(visitor, person.email);
    await page.goto(at('/test/profile'));
    await press(page, 'Set up a second factor');
    const base32 = (await page.getByLabel('Secret for the app').textContent()) ?? '';
    const code = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(base32.trim()) }).generate({
        timestamp: Date.now() + steps * 30_000,
      });
    await visitor.screenshot('second-factor');
    // The code of now, and then the next: either is good for half a minute more, however long the typing takes.
    await fill(page, 'Code *', code(0)).catch(() =>
      page.getByRole('textbox', { name: 'Code' }).fill(code(0)),
    );
    await page.keyboard.press('Enter');
    await page.getByText('Your recovery codes').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('recovery-codes');
    await press(page, 'Account');
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.waitForURL(/\/login/);
    await logIn(page, person);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    visitor.expects(/401/);
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await press(page, 'Continue');
    await page.getByRole('alert').waitFor();
    await visitor.expectAccessible();
    await page.getByRole('textbox', { name: 'Code' }).fill(code(1));
    await press(page, 'Continue');
    await page.waitForURL(/\/test/);
  }, 180_000);
});

describe('a team', () => {
  it('a team grows by an invitation: the new member sees what the role allows, and the audit log lists what was done', async () => {
    const owner = await browser.visit('desktop');
    await signUp(owner, newPerson().email);
    await owner.page.goto(at('/test/team'));
    const invited = `${randomUUID()}@shop.example`;
    await press(owner.page, 'Invite somebody');
    await owner.page.getByRole('textbox', { name: 'E-mail' }).fill(invited);
    await press(owner.page, 'Send invitation');
    await owner.page.getByText(`${invited} as developer`, { exact: false }).waitFor();
    await owner.expectAccessible();
    await owner.screenshot('team');
    const guest = await browser.visit('phone');
    guest.expects(/401/);
    await guest.page.goto(at(`/invitation#token=${await mailedTo(invited)}`));
    await guest.page.getByRole('heading', { name: 'Join Casa Lola' }).waitFor();
    await guest.expectAccessible();
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await press(guest.page, 'Accept');
    await guest.page.waitForURL(/\/test/);
    await guest.page.goto(at('/test/audit'));
    await guest.page.getByRole('heading', { name: 'For owners and admins' }).waitFor();
    await owner.page.goto(at('/test/audit'));
    await owner.page.getByText('team.joined').waitFor();
    await owner.expectAccessible();
    await owner.screenshot('audit');
  }, 180_000);
});

describe('an owner', () => {
  it('an owner creates a key that works from the given addresses only', async () => {
    const owner = await browser.visit('desktop');
    const { page } = owner;
    await signUp(owner, newPerson().email);
    await page.goto(at('/test/keys'));
    await press(page, 'Create key');
    await page.getByRole('textbox', { name: 'Name' }).fill('reports');
    await page.getByRole('switch', { name: 'Restrict this key' }).click();
    await page.getByRole('textbox', { name: 'Addresses' }).fill('203.0.113.0/24');
    await owner.expectAccessible();
    await owner.screenshot('key-restrictions');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const text = await page.getByText(/^sk_test_\w+$/).textContent();
    await press(page, /I have stored it/);
    await page.getByText('From 203.0.113.0/24').waitFor();
    await owner.expectAccessible();
    await owner.screenshot('key-restricted');
    const headers = { authorization: `Bearer ${text}` };
    const elsewhere = await fetch(`${shared.stack.api}/v1/group-payments`, { headers });
    expect([elsewhere.status, ((await elsewhere.json()) as { code: string }).code]).toEqual([
      403,
      'insufficient_scope',
    ]);
  }, 180_000);

  it("an owner removes a member together with the member's keys, and may demand second factors", async () => {
    const owner = await browser.visit('desktop');
    const { page } = owner;
    await signUp(owner, newPerson().email);
    await page.goto(at('/test/team'));
    const invited = `${randomUUID()}@shop.example`;
    await press(page, 'Invite somebody');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(invited);
    await press(page, 'Send invitation');
    const guest = await browser.visit('desktop');
    guest.expects(/401/);
    await guest.page.goto(at(`/invitation#token=${await mailedTo(invited)}`));
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await press(guest.page, 'Accept');
    await guest.page.waitForURL(/\/test/);
    await guest.page.goto(at('/live/keys'));
    await guest.page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    expect(await guest.page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await guest.page.goto(at('/test/keys'));
    await press(guest.page, 'Create key');
    await guest.page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await guest.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await guest.page.getByText(/^sk_test_\w+$/).waitFor();
    owner.expects(/409/);
    await page.reload();
    await settled(page);
    await page.getByRole('switch', { name: 'Everybody needs a second factor' }).click();
    await page.getByText('Add a second factor to your own account first').waitFor();
    await page.getByRole('button', { name: `Remove ${invited}` }).click();
    await page.getByText('End the API key this member made').waitFor();
    await owner.expectAccessible();
    await owner.screenshot('team-remove');
    await press(page, 'Remove now');
    await page.getByText(`${invited} is not in the team any more.`).waitFor();
    await page.goto(at('/test/keys'));
    await page.getByText('who left the team', { exact: false }).waitFor();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await owner.screenshot('keys-of-a-removed-member');
  }, 180_000);
});
