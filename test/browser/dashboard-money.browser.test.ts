import { beforeAll, describe, expect, it } from '@jest/globals';
import { download, settled } from './dashboard-page.ts';
import { BROWSER_START_MS } from './support.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

beforeAll(async () => {
  const { api, newGroup, pay } = fixture;
  const ofFrancs = { currency: 'CHF', total_amount: 30.03 };
  const paid = await newGroup('Fondue', [], ofFrancs);
  await pay(paid, 'ana@example.com', [0, 1]);
  await pay(paid, 'ben@example.com', [2]);
  await api.becomes(paid.group_payment.id, ['paid']);
  await api.client.refundGroupPayment(paid.group_payment.id, { slot_ids: [paid.payment_slots[2]!.id] });
  const held = await newGroup('Raclette', [], ofFrancs);
  await pay(held, 'ana@example.com', [0]);
  await api.slotBecomes(held.group_payment.id, 0, 'preauthorised');
}, BROWSER_START_MS);

describe('the money of a merchant', () => {
  it('movements have their times in the time zone that is chosen, which the heading names (Q48)', async () => {
    const visitor = await fixture.openAt('/test/money/movements?time_zone=UTC', 'desktop', {
      timezoneId: 'Asia/Tokyo',
      locale: 'en-GB',
    });
    const { page } = visitor;
    const time = page.getByRole('list', { name: 'Movements' }).locator('time').first();
    await time.waitFor();
    const at = new Date((await time.getAttribute('datetime'))!);
    const shown = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(at);
    expect(await time.textContent()).toBe(shown('UTC'));
    await page.getByText('Time (UTC)', { exact: true }).waitFor();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByText('Time (Asia/Tokyo)', { exact: true }).waitFor();
    expect(await time.textContent()).toBe(shown('Asia/Tokyo'));
    await visitor.screenshot('dashboard-movements-zone');
  });

  it('balances and the days of a month are shown to the cent, and downloaded the same (Q46, Q47, Q50)', async () => {
    const visitor = await fixture.openAt('/test/money', 'desktop');
    const { page } = visitor;
    const card = page.getByRole('region', { name: 'CHF at gateway_a', exact: true });
    for (const amount of ['10.01', '20.02', '30.03'])
      await card.locator(`data[value="${amount}"]`).first().waitFor();
    const table = page.getByRole('region', { name: 'Movements of CHF at gateway_a by day' });
    const amounts = (row: string) =>
      table
        .getByRole('row', { name: row })
        .locator('data')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    await table.waitFor();
    expect(await amounts('Opening balance')).toEqual(['0.00', '0.00']);
    expect(await amounts('Movements')).toEqual(['40.04', '30.03', '10.01']);
    expect(await amounts('Closing balance')).toEqual(['10.01', '20.02']);
    await visitor.screenshot('dashboard-money-francs');
    const csv = await download(page, 'statement', 'Statement as CSV');
    expect(csv.name).toMatch(/^statement-test-\d{4}-\d\d-01-\d{4}-\d\d-\d\d-UTC\.csv$/);
    const francs = csv.text.split('\r\n').filter((line) => line.includes('"CHF"'));
    expect(francs.at(-1)).toMatch(/^"closing",.*,"10\.01","20\.02","0\.00","UTC","false"$/);
    expect(francs.at(-2)).toContain('"40.04","0.00","30.03","10.01","0.00","0.00","0.00","","",""');
    const json = await download(page, 'statement', 'Statement as JSON');
    const { statements } = JSON.parse(json.text) as { statements: { currency: string; closing: object }[] };
    expect(statements.find(({ currency }) => currency === 'CHF')?.closing).toEqual({
      amount_on_hold: '10.01',
      amount_net: '20.02',
      amount_tips: '0.00',
    });
  }, 120_000);

  it('on a phone a month and a time zone are chosen, and stay in the address (Q47, Q48)', async () => {
    const visitor = await fixture.openAt('/test/money', 'phone');
    const { page } = visitor;
    const month = page.getByLabel('Month', { exact: true });
    await month.waitFor();
    const earliest = await month.locator('option').last().getAttribute('value');
    await month.selectOption(earliest);
    await page.getByText('No money in this month').waitFor();
    expect(new URL(page.url()).searchParams.get('month')).toBe(earliest);
    await page.goto(`${fixture.shared.stack.dashboard}/test/money?time_zone=Asia/Tokyo`);
    await page.getByRole('region', { name: 'Movements of CHF at gateway_a by day' }).waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await settled(page);
    await visitor.screenshot('dashboard-money-phone');
    await visitor.expectAccessible();
  });

  it('statement and movements begin with the time zone of the device, and UTC is chosen and stays in the address (Q48)', async () => {
    const { page } = await fixture.openAt('/test/money', 'desktop', { timezoneId: 'Asia/Tokyo' });
    const zone = page.getByLabel('Time zone');
    const table = page.getByRole('region', { name: 'Movements of CHF at gateway_a by day' });
    await table.waitFor();
    expect(await zone.inputValue()).toBe('Asia/Tokyo');
    expect(await zone.locator('option').allTextContents()).toEqual(['Asia/Tokyo', 'UTC']);
    const { text: tokyo } = await download(page, 'statement', 'Statement as CSV');
    expect(tokyo).toMatch(/^"closing",.*,"Asia\/Tokyo","false"\r$/m);
    await zone.selectOption('UTC');
    await page.waitForURL(/time_zone=UTC/);
    await page.reload();
    await table.waitFor();
    expect(await zone.inputValue()).toBe('UTC');
    expect((await download(page, 'statement', 'Statement as CSV')).text).toMatch(
      /^"closing",.*,"UTC","false"\r$/m,
    );

    const answer = page.waitForResponse(/\/api\/test\/movements\?/);
    await page.goto(`${fixture.shared.stack.dashboard}/test/money/movements`);
    expect(await (await answer).json()).toMatchObject({ time_zone: 'Asia/Tokyo' });
    await page.getByRole('region', { name: 'Totals by currency and kind' }).waitFor();
    expect(await zone.inputValue()).toBe('Asia/Tokyo');
  }, 120_000);

  it('each movement of the month is shown on a phone, filtered with exact totals, and downloaded the same (Q102)', async () => {
    const visitor = await fixture.openAt('/test/money', 'phone');
    const { page } = visitor;
    await page.getByText('This month is not over').waitFor();
    await page.getByRole('link', { name: 'Each movement of this month' }).click();
    await page.getByRole('heading', { name: 'Movements', exact: true }).waitFor();
    await page.getByLabel('Currency', { exact: true }).selectOption('CHF');
    const totals = page.getByRole('region', { name: 'Totals by currency and kind' });
    const total = (kind: string) => totals.locator('tr', { hasText: `${kind}, CHF` });
    for (const [kind, amount] of [
      ['Captured', '30.03'],
      ['Held', '40.04'],
      ['Refunded', '10.01'],
    ] as const)
      await total(kind).locator(`data[value="${amount}"]`).waitFor();
    await settled(page);
    await visitor.screenshot('dashboard-movements-phone');
    await visitor.expectAccessible();
    await page.getByLabel('What moved', { exact: true }).selectOption('refunded');
    await total('Captured').waitFor({ state: 'detached' });
    await total('Refunded').locator('data[value="10.01"]').waitFor();
    const rows = page.getByRole('list', { name: 'Movements' }).getByRole('link');
    expect(await rows.count()).toBe(1);
    const csv = await download(page, 'movements', 'Movements as CSV');
    expect(csv.name).toMatch(/^movements-test-.*\.csv$/);
    const lines = csv.text.split('\r\n').slice(1, -1);
    expect(lines).toEqual([expect.stringContaining('"refunded","false","CHF","10.01","1001","gateway_a"')]);
    await rows.click();
    await page.getByRole('heading', { name: /Fondue/ }).waitFor();
  }, 120_000);

  it('live mode has no money of test mode, and says what will be there (S9)', async () => {
    const { page } = await fixture.openAt('/live/money', 'phone');
    await page.getByText('No money yet').waitFor();
    expect(await page.content()).not.toContain('CHF');
  });

  it('a failed server is told, and the balance comes with the next try', async () => {
    const visitor = await fixture.openAt('/test', 'desktop');
    const { page } = visitor;
    visitor.expects(/500|Failed to load/);
    const at = '**/api/test/balance';
    await page.route(at, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal_error', message: 'broken' } }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Money', exact: true }).click();
    await page.getByRole('alert').getByText('Broken').waitFor();
    await page.unroute(at);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'CHF at gateway_a', exact: true }).waitFor();
  });
});
