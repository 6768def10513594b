import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { postCard } from '../support/payer.ts';
import { badge, download, settled } from './dashboard-page.ts';
import { openKeyboard } from './keyboard.ts';
import type { Screen } from './support.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

describe('group payments', () => {
  it('the list of group payments leads to a refund that names the whole payment of a chosen slot, makes it, and says which member did (E4)', async () => {
    const { page } = await fixture.openAt('/test/group-payments?state=paid', 'desktop');
    await page.getByRole('link', { name: /Paid dinner/ }).click();
    await page.getByRole('checkbox', { name: 'Slot 1' }).check();
    await page.getByRole('button', { name: 'Refund 1 slot' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('More than you chose').waitFor();
    const plan = dialog.getByRole('list', { name: 'Payments that are refunded' });
    expect(await plan.innerText()).toContain('ana@example.com');
    expect(await plan.innerText()).not.toContain('ben@example.com');
    await dialog.getByRole('button', { name: 'Refund €20.00' }).click();
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await badge(page, 'partly refunded').waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Group payment refunding' });
    await entry.getByText(`by ${fixture.merchant.email} in the dashboard`).waitFor();
    const { payment_slots: slots } = await fixture.api.findGroup(fixture.paid.group_payment.id);
    expect(slots.map(({ state }) => state)).toEqual(['refunded', 'refunded', 'captured']);
  });

  it('a group payment names the payment and the reason when a gateway refuses its refund, and offers another try (E3)', async () => {
    const group = await fixture.newGroup('Half refunded', ['refund:decline', '', '']);
    const { id } = group.group_payment;
    await fixture.pay(group, 'fay@example.com', [0]);
    await fixture.pay(group, 'gus@example.com', [1, 2]);
    await fixture.api.becomes(id, ['paid']);
    const visitor = await fixture.openAt(`/test/group-payments/${id}`, 'phone');
    const { page } = visitor;
    const refundAll = async (amount: string): Promise<void> => {
      await page.getByRole('button', { name: 'Refund everything' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Refund ${amount}` })
        .click();
    };
    await refundAll('€30.00');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByText('1 payment not refunded').waitFor();
    const refused = (await dialog.getByText(/^gateway_a: ./).innerText()).replace(/^gateway_a: /, '');
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-refund-refused');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await badge(page, 'partly refunded').waitFor();
    const chapter = page.locator('.timeline > li', { hasText: 'fay paid €10.00 (slot 1)' });
    await chapter.getByText(/, refund failed/).waitFor();
    await chapter.getByText(refused).first().waitFor();
    await refundAll('€10.00');
    await dialog.getByText('1 payment refunded').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const title = page.getByRole('heading', { level: 1 });
    await title.getByText('refunded', { exact: true }).waitFor();
  });

  it('a press on the button of a refund counts when the plan is read again before the release', async () => {
    const group = await fixture.newGroup('Pressed dinner');
    const { id } = group.group_payment;
    await fixture.pay(group, 'ida@example.com', [0, 1, 2]);
    await fixture.api.becomes(id, ['paid']);
    const visitor = await fixture.openAt(`/test/group-payments/${id}`, 'desktop');
    // The plan is read at last while the refund runs.
    visitor.expects(/409.*refund-preview/);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Refund everything' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Refund €30.00' }).hover();
    const released = Promise.withResolvers<void>();
    const readAgain = Promise.withResolvers<void>();
    await page.route('**/refund-preview*', async (route) => {
      readAgain.resolve();
      await released.promise;
      await route.continue();
    });
    await page.mouse.down();
    await fixture.api.client.updateGroupPayment(id, { metadata: { table: '7' } });
    await readAgain.promise;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.mouse.up();
    released.resolve();
    await dialog.getByText('1 payment refunded').waitFor();
  });

  it('a group payment is cancelled after a question, and its holds are released (Q2)', async () => {
    const group = await fixture.newGroup('Cancelled dinner');
    await fixture.pay(group, 'cleo@example.com', [0]);
    const { id } = group.group_payment;
    await fixture.api.becomes(id, ['partially_preauthorised']);
    const { page } = await fixture.openAt(`/test/group-payments/${id}`, 'phone');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the group payment' }).click();
    await badge(page, 'cancelled').waitFor();
    await page.getByText('cleo’s payment of €10.00 was released (slot 1)').waitFor();
  });

  it('the organiser of a group payment has a section that fits a phone, with the link, which is replaced after a question (Q83, Q84)', async () => {
    const organiser = { may: ['remind', 'extend', 'cancel'] };
    const group = await fixture.newGroup('Organised dinner', [], { organiser });
    const url = String(group.organiser_url);
    const visitor = await fixture.openAt(`/test/group-payments/${group.group_payment.id}`, 'phone');
    const { page } = visitor;
    const section = page.getByRole('region', { name: 'Organiser' });
    await section
      .getByText('remind payers by mail, extend the time to pay, cancel the group payment')
      .waitFor();
    await section.getByText('May extend until').waitFor();
    await section.getByText(url, { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Copy organiser’s link' }).waitFor();
    await visitor.expectAccessible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await visitor.screenshot('dashboard-organiser');
    await section.getByRole('button', { name: 'Replace link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the organiser’s link?' });
    await visitor.expectAccessible();
    await dialog.getByRole('button', { name: 'Replace the link' }).click();
    const shown = await dialog.getByRole('group', { name: 'organiser’s link' }).innerText();
    expect(shown).toMatch(/\/o\//);
    expect(shown).not.toBe(url);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await section.getByText(shown, { exact: true }).waitFor();
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(shown)).status).toBe(200);
  });

  it('the rights that organisers have by default are set on a phone, and ticked in the form for a test payment (Q83)', async () => {
    const visitor = await fixture.openAt('/test/organisers', 'phone');
    const { page } = visitor;
    const box = (name: string) => page.getByRole('checkbox', { name });
    const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await Promise.all([saved(), box('Extend the time to pay').click()]);
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-organisers');
    await page.reload();
    await settled(page);
    expect(await box('Extend the time to pay').isChecked()).toBe(true);
    expect(await box('Remind payers by mail').isChecked()).toBe(false);
    const { group_payment } = await fixture.newGroup('Organised by default');
    expect(group_payment).toMatchObject({ organiser: { may: ['extend'] } });
    await page.goto(`${fixture.shared.stack.dashboard}/test/group-payments/new`);
    await settled(page);
    await page.locator('input[value="extend"]:checked').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-new-payment');
    await page.getByRole('button', { name: 'Create test payment' }).click();
    await page.getByRole('group', { name: 'organiser’s link' }).waitFor();
    await visitor.expectAccessible();
    await page.goto(`${fixture.shared.stack.dashboard}/test/organisers`);
    await Promise.all([saved(), box('Extend the time to pay').click()]);
    await page.reload();
    await settled(page);
    expect(await box('Extend the time to pay').isChecked()).toBe(false);
  });

  it('a declined payment tells its reason in the timeline, and its code and reference on demand (B8)', async () => {
    const group = await fixture.newGroup('Declined dinner');
    const { id } = group.group_payment;
    const pay = await fixture.api.pay(id, { customer_email: 'gil@example.com', customer_name: 'gil' });
    await expect(postCard(fixture.shared.stack, pay, '4000000000009995')).rejects.toMatchObject({
      answer: { status: 402 },
    });
    const visitor = await fixture.openAt(`/test/group-payments/${id}`, 'phone');
    const { page } = visitor;
    const chapter = page.locator('.timeline > li', { hasText: 'gil could not pay €30.00 (slot 1, 2, 3)' });
    await chapter.getByText('The card was declined: insufficient funds.').first().waitFor();
    await chapter.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    const detail = chapter.getByRole('listitem').filter({ hasText: 'Failed' }).locator('details');
    expect(await detail.getByText('card_declined').isVisible()).toBe(false);
    await detail.locator('summary').focus();
    await page.keyboard.press('Enter');
    await detail.getByText('card_declined').waitFor();
    await detail.getByRole('button', { name: 'Copy reference of the gateway' }).waitFor();
    await visitor.expectAccessible();
  });

  it('a group payment shows the labels of its slots on a phone, and names what is chosen for a refund by them (Q71)', async () => {
    const slot_labels = ['<img src=x onerror=alert(1)>', 'W'.repeat(60), null];
    const group = await fixture.newGroup('Labelled', [], {
      distribution: { type: 'equally', number_of_slots: 3, slot_labels },
    });
    const { id } = group.group_payment;
    await fixture.pay(group, 'lea@example.com', [0, 1, 2]);
    await fixture.api.becomes(id, ['paid']);
    const visitor = await fixture.openAt(`/test/group-payments/${id}`, 'phone');
    const { page } = visitor;
    const slots = page.getByRole('list', { name: 'Slots' }).getByRole('listitem');
    await slots.first().waitFor();
    const texts = await slots.allInnerTexts();
    const shown = texts.map((text) => slot_labels.find((label) => label !== null && text.includes(label)));
    expect(shown).toEqual([slot_labels[0], slot_labels[1], undefined]);
    expect(await page.locator('.slots img').count()).toBe(0);
    for (const name of [`Slot 1: ${slot_labels[0]}`, `Slot 2: ${slot_labels[1]}`, 'Slot 3'])
      await page.getByRole('checkbox', { name, exact: true }).check();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-labels');
  });

  it('the steps of a payment are one entry of the timeline, with seconds, and unfold by keyboard', async () => {
    const { page } = await fixture.openAt(`/test/group-payments/${fixture.paid.group_payment.id}`, 'desktop');
    const chapter = page.locator('.timeline > li', { hasText: 'ben paid €10.00 (slot 3)' });
    await chapter
      .getByText(/begun \d\d:\d\d:\d\d, .*held \d\d:\d\d:\d\d, .*captured \d\d:\d\d:\d\d/)
      .waitFor();
    expect(await chapter.getByRole('listitem').count()).toBe(0);
    await chapter.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await chapter
      .getByRole('listitem')
      .filter({ hasText: /^Captured/ })
      .waitFor();
    await page
      .locator('.timeline > li', { hasText: /\d+ webhooks: \d+ delivered/ })
      .first()
      .waitFor();
  });

  it('group payments are found by name, order number, payer and id, whatever the case, and only in their mode (S9)', async () => {
    const { id, merchant_order_id } = fixture.paid.group_payment;
    const { page } = await fixture.openAt('/test/group-payments?state=open', 'desktop');
    const search = page.getByLabel('Search');
    const rows = page.getByRole('list', { name: 'Group payments' }).getByRole('link');
    for (const text of ['PAID', 'dinner', merchant_order_id.toLowerCase(), 'ANA@example.com', 'ben']) {
      await search.fill(text);
      await search.press('Enter');
      await page.waitForURL(`**/test/group-payments?${new URLSearchParams({ search: text }).toString()}`);
      await rows.filter({ hasText: 'Paid dinner' }).waitFor();
    }
    await search.fill('nobody@example.com');
    await search.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await search.fill(id);
    await search.press('Enter');
    await page.waitForURL(`**/test/group-payments/${id}`);
    await page.goto(`${fixture.shared.stack.dashboard}/live/group-payments?search=paid`);
    await page.getByText('Nothing matches').waitFor();
    expect(await page.getByText('Paid dinner').count()).toBe(0);
  });

  it('group payments are downloaded as the list filters them, with the payments of their payers, on a phone (Q56)', async () => {
    const made = await fixture.newGroup('Tapas para llevar, ¡olé!');
    const { id } = made.group_payment;
    await fixture.pay(made, 'ana@example.com', [0]);
    await fixture.api.slotBecomes(id, 0, 'preauthorised');
    const visitor = await fixture.openAt('/test/group-payments?state=partially_preauthorised', 'phone');
    const { page } = visitor;
    const groups = await download(page, 'group payments', 'Group payments as CSV');
    expect(groups.name).toMatch(/^group-payments-test-20\d{6}T\d{6}Z\.csv$/);
    const lines = groups.text.split('\r\n');
    expect(lines[0]).toMatch(/^\ufeff"id","group_name",/);
    expect(lines.find((line) => line.includes(id))).toContain('"Tapas para llevar, ¡olé!"');
    expect(lines.find((line) => line.includes(id))).toContain(
      '"partially_preauthorised","EUR","30.00","10.00","0.00","0.00","3000","1000","0","0"',
    );
    expect(groups.text).not.toContain(fixture.paid.group_payment.id);
    await page.goto(`${fixture.shared.stack.dashboard}/test/group-payments?search=tapas`);
    await page.getByRole('link', { name: /Tapas para llevar/ }).waitFor();
    const payments = await download(page, 'group payments', 'Their payments as JSON lines');
    expect(payments.name).toMatch(/^payments-test-.*\.jsonl$/);
    expect(
      payments.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { group_payment_id: id, payer_email: 'ana@example.com', amount: '10.00', amount_minor: '1000' },
    ]);
    await page.getByRole('button', { name: 'Download group payments' }).click();
    await page.getByRole('menuitem', { name: 'Their payments as CSV' }).waitFor();
    await visitor.screenshot('dashboard-downloads');
    await visitor.expectAccessible();
  });

  it.each<Screen>(['phone', 'desktop'])(
    'the list of events has the names of group payments beside their ids, on a %s',
    async (screen) => {
      const visitor = await fixture.openAt('/test/events?type=group_payment.paid', screen);
      const { page } = visitor;
      const row = page.getByRole('list', { name: 'Events' }).getByRole('link', { name: 'Paid dinner' });
      await row.waitFor();
      await row.getByText(fixture.paid.group_payment.id, { exact: true }).waitFor();
      await visitor.screenshot('dashboard-events');
      await visitor.expectAccessible();
    },
  );

  it('events, requests, deliveries, the team and the audit log are downloaded from their screens (Q56)', async () => {
    const { page } = await fixture.openAt('/test/events?type=group_payment.paid', 'desktop');
    const at = (path: string) => page.goto(fixture.shared.stack.dashboard + path);
    const events = await download(page, 'events', 'Events as CSV');
    expect(events.text).toContain(`"group_payment.paid"`);
    expect(events.text).toContain(fixture.paid.group_payment.id);
    expect(events.text).not.toContain('"payment_intent.preauthorised"');
    await at('/test/requests?method=POST');
    const requests = await download(page, 'requests', 'Requests as JSON lines');
    expect(requests.text).toContain(`/v1/group-payments/${fixture.paid.group_payment.id}/pay`);
    expect(requests.text).not.toContain('"method":"GET"');
    await at('/test/webhooks');
    await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
    const deliveries = await download(page, 'deliveries', 'Deliveries as CSV');
    expect(deliveries.text).toContain(`"${fixture.endpointUrl}","acknowledged","200"`);
    await at('/test/team');
    expect((await download(page, 'team', 'Team as CSV')).text).toContain(
      `"${fixture.merchant.email}","owner"`,
    );
    await at('/test/audit');
    const audit = await download(page, 'audit log', 'Audit log as JSON lines');
    expect(audit.name).toMatch(/^audit-log-20\d{6}T\d{6}Z\.jsonl$/);
    expect(audit.text).toContain('"action":"');
  });

  it('a group payment is created in the dashboard without code, and shown while it is paid', async () => {
    const { page } = await fixture.openAt('/test/group-payments/new', 'desktop');
    await page.getByLabel('Name').fill('Made by hand');
    await page.getByLabel('Total').fill('12.10');
    await page.getByRole('button', { name: 'Create test payment' }).click();
    const opens = page.getByRole('link', { name: 'Open the checkout page' });
    expect(await opens.getAttribute('href')).toContain(`${fixture.shared.stack.checkout}/c/`);
    await page.getByRole('link', { name: 'Watch it here' }).click();
    await badge(page, 'Made by hand').waitFor();
    const made = await fixture.api.findGroup(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(made.group_payment.total_amount).toBe(12.1);
    await fixture.pay(made, 'dora@example.com', [0]);
    await page.getByText(/^dora has €[0-9.]+ held \(slot 1\)$/).waitFor();
  });
});

it('the dashboard is worked by keyboard alone: from the login to a new key, and to a group payment that is cancelled', async () => {
  const group = await fixture.newGroup('Nobody has a mouse');
  const visitor = await fixture.browser.visit('desktop');
  const { page } = visitor;
  const keys = openKeyboard(page);
  visitor.expects(/401.*\/api\/me/);
  await page.goto(`${fixture.shared.stack.dashboard}/test`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await keys.to(/^E-mail/);
  await keys.type(fixture.merchant.email);
  await keys.to(/^Password/);
  await keys.type(fixture.merchant.password);
  await keys.press('Enter');
  await page.waitForURL(`${fixture.shared.stack.dashboard}/test`);
  await settled(page);
  await keys.to(/^API keys$/);
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await keys.to(/^Create key$/);
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.to(/^Name/);
  await keys.type('made without a mouse');
  await keys.press('Enter');
  await page.getByText(/^sk_test_\w+$/).waitFor();
  await keys.to(/^I have stored it$/, 'Shift+Tab');
  await keys.press('Enter');
  await page.getByRole('row', { name: /made without a mouse/ }).waitFor();

  await keys.to(/^Group payments$/, 'Shift+Tab');
  await keys.press('Enter');
  await page.getByRole('link', { name: /Nobody has a mouse/ }).waitFor();
  await keys.to(/Nobody has a mouse/);
  await keys.press('Enter');
  await badge(page, 'Nobody has a mouse').waitFor();
  await keys.to(/^Cancel$/);
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.to(/^Cancel the group payment$/);
  await keys.press('Enter');
  await badge(page, 'cancelled').waitFor();
  expect((await fixture.api.findGroup(group.group_payment.id)).group_payment.state).toBe('cancelled');
});

describe('branding', () => {
  it('branding shows a colour by day and by night before it is saved, and the checkout page has it (Q52)', async () => {
    const visitor = await fixture.openAt('/test/branding', 'phone');
    const { page } = visitor;
    const colourOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#FFE000');
    const [day, night] = [
      await colourOf('.page-preview-day .page-preview-button'),
      await colourOf('.page-preview-night .page-preview-button'),
    ];
    expect(night).toBe('rgb(255, 224, 0)');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input[value="#ffe000"]').first().waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('dashboard-branding');
    const group = await fixture.newGroup('In our colours');
    // Checkout follows within a second.
    await eventually(async () => {
      const html = await (await fetch(group.checkout_url)).text();
      return html.includes('--accent-dark:#ffe000') || undefined;
    });
    await page.goto(group.checkout_url);
    await page.getByRole('checkbox', { name: /^Share 1\b/ }).check();
    expect(await colourOf('button.primary')).toBe(day);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourOf('button.primary')).toBe(night);
    await visitor.expectAccessible();
    await visitor.screenshot('checkout-branded');
  });
});

// Last: time does not go back for the others.
it('the test clock travels past an expiry: the group expires and its hold is released', async () => {
  // Ends before the groups of the other tests, so that it leads the list of what happens next.
  const expires_at = new Date(Date.now() + 12 * 3_600_000).toISOString();
  const group = await fixture.newGroup('Expiring dinner', [], { expires_at });
  await fixture.pay(group, 'eve@example.com', [0]);
  const { id } = group.group_payment;
  await fixture.api.becomes(id, ['partially_preauthorised']);
  const { page } = await fixture.openAt('/test/test-clock', 'desktop');
  await page.getByRole('button', { name: 'Travel there: the expiry of Expiring dinner' }).click();
  await page.getByText('ahead of real time').waitFor();
  await page.getByText('Travelling').waitFor({ state: 'hidden' });
  await page.goto(`${fixture.shared.stack.dashboard}/test/group-payments/${id}`);
  await badge(page, 'expired').waitFor();
  // Counted from the test clock: real time is hours before the expiry.
  await page
    .locator('dd', { hasText: /\((?:now|.* ago)\)/ })
    .first()
    .waitFor();
  await page.getByText('eve’s payment of €10.00 was released (slot 1)').waitFor();
});
