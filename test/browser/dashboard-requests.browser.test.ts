import { beforeAll, describe, expect, it } from '@jest/globals';
import { openRequests, type Requests } from '../support/requests.ts';
import { openKeyboard } from './keyboard.ts';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();
let server: Requests;

beforeAll(() => void (server = openRequests(fixture.shared.stack.api, fixture.merchant.test_key)));

describe('the requests to the API', () => {
  it('a refused request is found by its path and status, and shows its error, its bodies and its group payment (Q40, Q41)', async () => {
    const { id } = fixture.paid.group_payment;
    const path = `/v1/group-payments/${id}/pay`;
    const refused = await server.post(path, { customer_email: 'late@example.com' });
    expect(refused.status).toBe(409);
    const { page } = await fixture.openAt('/test/requests', 'desktop');
    const list = page.getByRole('list', { name: 'Requests' });
    await list.getByRole('link').first().waitFor();
    const search = page.getByLabel('Path or request id');
    await search.fill(path);
    await search.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('path') === path);
    await page.getByLabel('Status').selectOption('4xx');
    await page.waitForURL((url) => url.searchParams.get('status_class') === '4xx');
    expect(new URL(page.url()).searchParams.get('path')).toBe(path);
    await page.reload();
    await list.getByRole('link', { name: new RegExp(`POST ${path}`) }).click();
    await page.getByRole('heading', { level: 1, name: `POST ${path}` }).waitFor();
    const requestId = String(refused.headers.get('request-id'));
    await page.getByText(requestId, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy request id' }).waitFor();
    await page.getByText(String(refused.body['code'])).first().waitFor();
    const sent = page.getByRole('region', { name: 'Body of the request' });
    expect(await sent.innerText()).toContain('customer_email');
    expect(await page.content()).not.toContain('late@example.com');
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(`**/test/group-payments/${id}`);
  });

  it('a request is found by its id, and the list is paged, by keyboard alone (Q19, Q40)', async () => {
    for (let i = 0; i < 21; i += 1) await server.get('/v1/webhooks');
    const last = await server.get('/v1/events?limit=1');
    const { page } = await fixture.openAt('/test/requests?method=GET&path=/v1/webhooks', 'phone');
    const keys = openKeyboard(page);
    const rows = page.getByRole('list', { name: 'Requests' }).getByRole('link');
    await rows.nth(19).waitFor();
    await keys.to(/^Next page$/);
    await keys.press('Enter');
    await page.getByRole('link', { name: 'First page' }).waitFor();
    await rows.first().waitFor();
    await page.goto(`${fixture.shared.stack.dashboard}/test/requests`);
    await keys.to(/^Path or request id$/);
    await keys.type(String(last.headers.get('request-id')));
    await keys.press('Enter');
    await page.waitForURL('**/requests?request_id=req_*');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.filter({ hasText: '/v1/events' }).waitFor();
  });

  it('requests of test mode are not in live mode, and a log without a match says so (S9, Q40)', async () => {
    const filter = `requests?path=/v1/group-payments/${fixture.paid.group_payment.id}/pay`;
    const { page } = await fixture.openAt(`/test/${filter}`, 'desktop');
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().waitFor();
    await page.goto(`${fixture.shared.stack.dashboard}/live/${filter}`);
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL('**/live/requests');
    await page.getByText('Nothing matches').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(fixture.paid.group_payment.id);
  });

  it('a failed and an unreachable server are told, and the list comes with the next try', async () => {
    const visitor = await fixture.openAt('/test', 'desktop');
    const { page } = visitor;
    visitor.expects(/500|ERR_FAILED|Failed to load/);
    const at = '**/api/test/requests*';
    await page.route(at, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal_error', message: 'broken' } }),
    );
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('alert').getByText('Broken').waitFor();
    await page.unroute(at);
    await page.route(at, (route) => route.abort('failed'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The server could not be reached').waitFor();
    await page.unroute(at);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().waitFor();
  });
});
