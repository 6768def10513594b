import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Page } from 'playwright-core';
import { send } from '../support/api.ts';
import { openDashboard, tokenMailedTo } from '../support/dashboard.ts';
import { arriveAt, settled } from './dashboard-page.ts';
import type { Visitor } from './support.ts';
import { useDashboard } from './use-browser.ts';

const ROLES = ['admin', 'developer', 'support', 'viewer'] as const;
type Role = (typeof ROLES)[number];
type Team = Readonly<Record<Role, string>>;

const fixture = useDashboard();
const password = 'correct horse battery';
/** The addresses of the members: of a merchant that has payments, and of one that has nothing yet. */
let busy: Team;
let empty: Team;

const ask = (path: string, body: object) =>
  send('POST', `${fixture.shared.stack.dashboard}/api/${path}`, body);
const mailedTo = (email: string) => eventually(() => tokenMailedTo(fixture.shared.stack, email));
const newEmail = () => `${randomUUID()}@shop.example`;

async function signUp(): Promise<{ email: string; password: string }> {
  const email = newEmail();
  await ask('signup', { merchant_name: 'Casa Lola', email, password });
  await ask('signup/confirm', { token: await mailedTo(email) });
  return { email, password };
}

/** Invites a member of each role. */
async function inviteTeam(owner: { email: string; password: string }): Promise<Team> {
  const dashboard = await openDashboard(fixture.shared.stack, owner);
  const join = async (role: Role) => {
    const email = newEmail();
    await dashboard.post('team/invitations', { email, role });
    await ask('invitations/accept', { token: await mailedTo(email), password });
    return [role, email] as const;
  };
  return Object.fromEntries(await Promise.all(ROLES.map(join))) as Team;
}

beforeAll(async () => {
  busy = await inviteTeam(fixture.merchant);
  empty = await inviteTeam(await signUp());
}, 60_000);

const openAs = async (email: string, path: string): Promise<Visitor> =>
  arriveAt(await fixture.browser.visit('desktop'), fixture.shared.stack.dashboard, {
    person: { email, password },
    path,
  });

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(fixture.shared.stack.dashboard + path);
  await settled(page);
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** Returns the titles of the notes that say who may do something. */
const listNotes = (page: Page): Promise<string[]> =>
  page.getByRole('main').getByRole('note').locator('.mantine-Alert-title').allTextContents();

/** Returns the names of what can be pressed on a screen, downloads left out, and of its links. */
async function listOffers(page: Page): Promise<string[]> {
  const main = page.getByRole('main');
  const [buttons, links] = await Promise.all([
    main.getByRole('button').allInnerTexts(),
    main.getByRole('link').allInnerTexts(),
  ]);
  return [...buttons, ...links].map((name) => name.trim()).filter((name) => !/^(Download|Copy)?$/.test(name));
}

const DEVELOPERS = 'Only owners, admins and developers can';
const ADMINS = 'Only owners and admins can';

describe('the screens of members with few permissions', () => {
  it.each([
    ['/live/keys', `${ADMINS} create, roll or revoke live keys`],
    ['/test/keys', `${DEVELOPERS} create, roll or revoke test keys`],
    ['/live/gateways', `${ADMINS} connect or change live gateways`],
    ['/test/gateways', `${DEVELOPERS} connect or change test gateways`],
    ['/live/webhooks', `${DEVELOPERS} add or change endpoints`],
    ['/live/origins', `${DEVELOPERS} register or remove web origins`],
    ['/test/payer-mails', `${DEVELOPERS} switch these mails on or off`],
    ['/test/organisers', `${DEVELOPERS} change what organisers may do`],
    ['/test/team', `${ADMINS} invite, change and remove members`],
  ])(
    'the screen %s says to a member with the role support who may change it, and offers nothing',
    async (path, note) => {
      const visitor = await openAs(empty.support, path);
      const { page } = visitor;
      await goTo(page, path);
      expect(await listNotes(page)).toEqual([note]);
      await page.getByText('Ask one of them, or an owner to change your role.').waitFor();
      expect(await listOffers(page)).toEqual([]);
      expect(await page.getByText('Create one').count()).toBe(0);
      expect(await page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);
      await visitor.expectAccessible();
      await visitor.screenshot(`dashboard-support${path.replaceAll('/', '-')}`);
    },
  );

  it('the first steps in live mode say to a member with the role support who does them, and offer those of the role only', async () => {
    const visitor = await openAs(empty.support, '/live');
    const { page } = visitor;
    await goTo(page, '/live');
    const steps = page.getByRole('main').getByRole('listitem');
    const say = (step: string) =>
      steps
        .filter({ hasText: step })
        .getByText(/can do this/)
        .innerText();
    expect(await say('Connect a gateway')).toBe(`${ADMINS} do this: ask one of them.`);
    expect(await say('Create an API key')).toBe(`${ADMINS} do this: ask one of them.`);
    expect(await say('Add a webhook endpoint')).toBe(`${DEVELOPERS} do this: ask one of them.`);
    expect(await listOffers(page)).toEqual(['New live payment', 'See how']);
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-support-home');
    await page.getByRole('link', { name: 'New live payment' }).click();
    await page.getByText(`${ADMINS} connect one: ask one of them.`).waitFor();
    expect(await page.getByRole('link', { name: 'Open gateways' }).count()).toBe(0);
  });

  it('the list of keys has no column of actions for a member who may do nothing with them', async () => {
    const { page } = await openAs(busy.support, '/test/keys');
    await goTo(page, '/test/keys');
    await page.getByRole('columnheader', { name: 'Last used' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);
    expect(await listOffers(page)).toEqual([]);
  });

  it('the quick start names who creates the key that is missing to a member who may not create it', async () => {
    const { page } = await openAs(empty.support, '/live/quick-start');
    await goTo(page, '/live/quick-start');
    expect(await listNotes(page)).toEqual([`${ADMINS} create the live key that this needs`]);
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0);
  });

  it('fields of the branding that a role may not change look read-only, and say who may change them', async () => {
    const visitor = await openAs(empty.support, '/live/branding');
    const { page } = visitor;
    await goTo(page, '/live/branding');
    expect(await listNotes(page)).toEqual([
      `${DEVELOPERS} change the logo, the colour and the contact`,
      `${ADMINS} rename the business`,
    ]);
    const fields = page.getByRole('main').getByRole('textbox');
    expect(await fields.count()).toBe(4);
    for (const field of await fields.all()) {
      expect(await field.getAttribute('readonly')).not.toBeNull();
      expect(await field.isEnabled()).toBe(true);
    }
    expect(await page.locator('main [data-variant="filled"] input').count()).toBe(4);
    expect(await page.getByRole('main').getByText('*', { exact: true }).count()).toBe(0);
    expect(await listOffers(page)).toEqual([]);
    await visitor.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.expectReadableColours();
    await visitor.screenshot('dashboard-support-branding');
    const developer = await openAs(empty.developer, '/live/branding');
    await goTo(developer.page, '/live/branding');
    expect(await listNotes(developer.page)).toEqual([`${ADMINS} rename the business`]);
    await developer.page.getByRole('button', { name: 'Save contact' }).waitFor();
  });

  it('a developer reads who makes live payments and live keys, and has the actions of test mode', async () => {
    const { page } = await openAs(busy.developer, '/live/keys');
    await goTo(page, '/live/keys');
    expect(await listNotes(page)).toEqual([`${ADMINS} create, roll or revoke live keys`]);
    await goTo(page, '/live/group-payments');
    await page.getByText('or owners, admins and support make them here.', { exact: false }).waitFor();
    await goTo(page, '/live/group-payments/new');
    await page.getByRole('heading', { name: 'For owners, admins and support' }).waitFor();
    await goTo(page, `/test/group-payments/${fixture.paid.group_payment.id}`);
    expect(await listNotes(page)).toEqual(['Only owners, admins and support can refund or cancel it']);
    await goTo(page, '/test/keys');
    expect(await listNotes(page)).toEqual([]);
    await page.getByRole('columnheader', { name: 'Actions' }).waitFor();
  });

  it('a viewer reads on the test clock, on an endpoint and at the form of a payment who may use them', async () => {
    const { page } = await openAs(busy.viewer, '/test/test-clock');
    await goTo(page, '/test/test-clock');
    const most = 'Only owners, admins, developers and support can';
    expect(await listNotes(page)).toEqual([`${most} move the test clock`]);
    await goTo(page, '/test/group-payments/new');
    await page.getByRole('heading', { name: 'For owners, admins, developers and support' }).waitFor();
    await goTo(page, '/test/webhooks');
    await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
    await page.getByText(`${DEVELOPERS} change or delete this endpoint`).waitFor();
    await page.getByText(`${most} send deliveries again`).waitFor();
  });

  it('an admin is offered to remove members, owners left out', async () => {
    const { page } = await openAs(busy.admin, '/test/team');
    await goTo(page, '/test/team');
    expect(await listNotes(page)).toEqual([]);
    await page.getByRole('button', { name: `Remove ${busy.support}` }).waitFor();
    expect(await page.getByRole('button', { name: `Remove ${fixture.merchant.email}` }).count()).toBe(0);
  });
});

it('another member does not see what a member had typed when the session ended', async () => {
  const visitor = await openAs(busy.admin, '/test/group-payments/new');
  const { page } = visitor;
  visitor.expects(/401/);
  await page.getByLabel('Name').fill('Padel and beer');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create test payment' }).click();
  await page.getByLabel('E-mail').fill(busy.developer);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Dinner for three');
});
