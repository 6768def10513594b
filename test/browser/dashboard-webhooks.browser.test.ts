import { describe, expect, it } from '@jest/globals';
import { useDashboard } from './use-browser.ts';

const fixture = useDashboard();

describe('webhooks', () => {
  it('a failed delivery is shown with request, answer and next retry, and is delivered when it is sent again', async () => {
    const visitor = await fixture.openAt('/test/webhooks', 'desktop');
    const { page } = visitor;
    await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
    fixture.answerWith(503);
    await page.getByRole('button', { name: 'Send test event' }).click();
    const delivery = page.locator('details', { hasText: 'pending' }).first();
    await delivery.getByText('1 attempt').waitFor();
    await delivery.locator('summary').click();
    await delivery.getByText('answered 503').waitFor();
    expect(await delivery.getByRole('group', { name: 'Request' }).innerText()).toContain('Service-Event-Id');
    await page.reload();
    const note = page.getByRole('alert').filter({ hasText: /1 delivery waits/ });
    await note.getByText('your server answered 503').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot('webhook-waits');
    await delivery.locator('summary').click();
    fixture.answerWith(200);
    await delivery.getByRole('button', { name: 'Send again now' }).click();
    const top = page.locator('details').first();
    await top.getByText('200 acknowledged').waitFor();
  });

  it('a webhook that did not arrive is sent again from the page of its event, to which the timeline leads', async () => {
    fixture.answerWith(503);
    const group = await fixture.newGroup('Lost webhook');
    await fixture.pay(group, 'lou@example.com', [0]);
    const visitor = await fixture.openAt(`/test/group-payments/${group.group_payment.id}`, 'desktop');
    const { page } = visitor;
    const told = page.locator('.timeline > li', { hasText: 'payment_intent.preauthorised' });
    await told.getByRole('link', { name: '1 attempt' }).waitFor();
    await told.getByRole('link', { name: 'Event' }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('pending').waitFor();
    await visitor.expectAccessible();
    fixture.answerWith(200);
    await deliveries.getByRole('button', { name: /^Send again now/ }).click();
    await deliveries.getByText('delivered').waitFor();
  });

  it('a merchant recovers a period of webhooks, and the page says when it is done', async () => {
    const { page } = await fixture.openAt('/test/webhooks', 'phone');
    await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
    const today = new Date();
    const two = (count: number) => String(count).padStart(2, '0');
    const day = `${today.getFullYear()}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
    await page.getByLabel('From').fill(day);
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByText(/^Done: \d+ deliver(y|ies) sent again\.$/).waitFor();
  });

  it('a rolled webhook secret is shown once: it is gone when the page is left, and nowhere in the browser', async () => {
    const { page } = await fixture.openAt('/test/webhooks', 'desktop');
    await page.getByRole('link', { name: new RegExp(fixture.endpointUrl) }).click();
    await page.getByRole('button', { name: 'Roll secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'An hour' }).check();
    await dialog.getByRole('button', { name: 'Roll secret' }).click();
    const secret = await page.getByRole('group', { name: 'New signing secret' }).innerText();
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
    expect(kept).not.toContain(secret);
  });
});

it('a mode shows nothing of the other, and switching leads to the same screen there (S9)', async () => {
  const { page } = await fixture.openAt('/test/group-payments', 'desktop');
  await page.getByRole('link', { name: /Paid dinner/ }).waitFor();
  await page.getByRole('note').getByText('Test mode.').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByText('Live', { exact: true }).click();
  await page.waitForURL('**/live/group-payments');
  await page.getByText('No group payments yet').waitFor();
  expect(await page.getByText('Paid dinner').count()).toBe(0);
  expect(await page.getByText('Test mode.').count()).toBe(0);
  expect(asked.filter((path) => path.startsWith('/api/test'))).toEqual([]);
});
