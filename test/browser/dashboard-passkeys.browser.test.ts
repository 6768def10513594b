import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Page } from 'playwright-core';
import { tokenMailedTo } from '../support/dashboard.ts';
import { askDatabase } from '../support/ledger.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { settled } from './dashboard-page.ts';
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
/** Browsers give passkeys to host names only. */
const at = (path: string) => shared.stack.dashboard.replace('127.0.0.1', 'localhost') + path;
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Gives the page a device that keeps passkeys and verifies its user without asking. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signUp({ page }: Visitor, email: string): Promise<void> {
  await page.goto(at('/sign-up'));
  await page.getByLabel('Business name').fill('Casa Lola');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await press(page, 'Create account');
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const token = await eventually(() => tokenMailedTo(shared.stack, email));
  await page.goto(at(`/sign-up/confirm#token=${token}`));
  await press(page, 'Open my dashboard');
  await page.waitForURL(at('/test'));
}

/** The page after a login: the one that was open before, or the first. */
const AFTER_LOGIN = /\/test(\/profile)?$/;

async function logOut(page: Page): Promise<void> {
  await press(page, 'Account');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL(/\/login/);
}

it('a passkey is added on a phone, logs in by itself and after the password, and is removed (K13)', async () => {
  const visitor = await browser.visit('phone');
  const { page } = visitor;
  visitor.expects(/401/);
  await addDevice(page);
  const email = `${randomUUID()}@shop.example`;
  await signUp(visitor, email);

  await page.goto(at('/test/profile'));
  await settled(page);
  await page.getByRole('textbox', { name: 'Name of the new passkey' }).fill('My phone');
  await press(page, 'Add a passkey');
  await page.getByRole('button', { name: 'Remove My phone' }).waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('passkeys');

  await logOut(page);
  await visitor.expectAccessible();
  await visitor.screenshot('login-with-passkey');
  await press(page, 'Use a passkey');
  await page.waitForURL(AFTER_LOGIN);

  await logOut(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await press(page, 'Log in');
  await page.getByRole('heading', { name: 'Second step' }).waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('second-step-passkey');
  await press(page, 'Use a passkey');
  await page.waitForURL(AFTER_LOGIN);

  await page.goto(at('/test/profile'));
  await page.getByText(/last used/).waitFor();
  await press(page, 'Remove My phone');
  await page.getByRole('button', { name: 'Remove My phone' }).waitFor({ state: 'detached' });
  await logOut(page);
  await press(page, 'Use a passkey');
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  expect(await refusal.textContent()).toMatch(/passkey was not accepted/);
}, 180_000);

it('a passkey confirms an action that needs a fresh proof of identity, in place of the password (K14)', async () => {
  const visitor = await browser.visit('desktop');
  const { page } = visitor;
  visitor.expects(/403/);
  await addDevice(page);
  const email = `${randomUUID()}@shop.example`;
  await signUp(visitor, email);
  await page.goto(at('/test/profile'));
  await page.getByRole('textbox', { name: 'Name of the new passkey' }).fill('My laptop');
  await press(page, 'Add a passkey');
  await page.getByRole('button', { name: 'Remove My laptop' }).waitFor();

  await askDatabase(
    shared.stack,
    'merchant',
    `update sessions s set proved_at = clock_timestamp() - interval '1 hour' from users u
     where u.id = s.user_id and u.email = $1`,
    [email],
  );
  await press(page, 'Set up a second factor');
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.waitFor();
  await visitor.expectAccessible();
  await visitor.screenshot('confirm-by-passkey');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByText(/authenticator app/i)
    .first()
    .waitFor();
  const [session] = await askDatabase<{ fresh: boolean }>(
    shared.stack,
    'merchant',
    `select s.proved_at > clock_timestamp() - interval '10 minutes' as fresh
     from sessions s join users u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  expect(session).toEqual({ fresh: true });
}, 180_000);

it('at an address that is no host name, the page says where passkeys work (K13)', async () => {
  const { page, expects } = await browser.visit('desktop');
  expects(/401/);
  await page.goto(`${shared.stack.dashboard}/login`);
  await press(page, 'Use a passkey');
  expect(await page.getByRole('alert').textContent()).toMatch(/work at localhost:\d+ only/);
}, 120_000);
