import { beforeAll, describe, expect, it } from '@jest/globals';
import { newGroup, openApi } from '../support/journey.ts';
import type { Merchant } from '../support/stack.ts';
import { openForm, openReader, readBody, readHeader, sendForm } from './reference-form.ts';
import { type Screen } from './support.ts';
import { useBrowser } from './use-browser.ts';

const { shared, browser } = useBrowser({ merchants: ['gateway_b'] });
let merchant: Merchant;
beforeAll(() => void (merchant = shared.stack.merchants[0]!));

describe('trying operations from the page at /docs', () => {
  it('a reader creates a group payment by keyboard, and the next form has its id (Q74)', async () => {
    const { page, asked } = await openReader(await browser.visit('desktop'), shared.stack);
    const create = await openForm(page, 'createGroupPayment');
    expect(
      await create
        .getByLabel('Test key', { exact: true })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
    expect(await sendForm(create, merchant.test_key)).toMatch(/^Answer 201 Created after \d+ ms\.$/);
    const { group_payment } = (await readBody(create)) as { group_payment: { id: string } };
    expect(await readHeader(create, 'Request-Id')).toMatch(/^req_/);

    const retrieve = await openForm(page, 'getGroupPayment');
    expect(await retrieve.getByLabel('id', { exact: true }).inputValue()).toBe(group_payment.id);
    expect(await sendForm(retrieve, merchant.test_key)).toMatch(/^Answer 200 OK/);
    expect(await readBody(retrieve)).toMatchObject({
      group_payment: { id: group_payment.id, state: 'open' },
    });
    expect(asked).toEqual(['POST /v1/group-payments', `GET /v1/group-payments/${group_payment.id}`]);
    const paid = await openForm(page, 'createTestPayment');
    await paid.getByLabel('Example').selectOption('All slots that are free');
    expect(await sendForm(paid, merchant.test_key)).toMatch(/^Answer 201/);
    expect(await readBody(paid)).toMatchObject({ group_payment_id: group_payment.id });
  });

  it('each sending has an Idempotency-Key of its own, and one that the reader types is kept (Q74)', async () => {
    const { page } = await openReader(await browser.visit('desktop'), shared.stack);
    const form = await openForm(page, 'createGroupPayment');
    const field = form.getByLabel('Idempotency-Key');
    const first = await field.inputValue();
    await sendForm(form, merchant.test_key);
    const second = await field.inputValue();
    expect([first, second]).toEqual([
      expect.stringMatching(/^try-[0-9a-f]{24}$/),
      expect.stringMatching(/^try-[0-9a-f]{24}$/),
    ]);
    expect(second).not.toBe(first);
    await field.fill('mine-1');
    await sendForm(form, merchant.test_key);
    await field.press('Enter');
    await form.getByText('Idempotent-Replayed').waitFor();
    expect(await readHeader(form, 'Idempotent-Replayed')).toBe('true');
    expect(await field.inputValue()).toBe('mine-1');
  });

  it('an error is shown with its message and a link to the explanation in the page; text with markup stays text (Q74)', async () => {
    const { visitor, page } = await openReader(await browser.visit('desktop'), shared.stack);
    visitor.expects(/400/);
    const form = await openForm(page, 'createGroupPayment');
    const body = form.getByLabel('Body (JSON)');
    const example = JSON.parse(await body.inputValue()) as object;
    await body.fill(JSON.stringify({ ...example, total_amount: -1, '<img src=x>': 1 }));
    expect(await sendForm(form, merchant.test_key)).toMatch(
      /^Answer 400 Bad Request after \d+ ms\. Validation error: /,
    );
    expect(await form.getByLabel('Body of the answer').innerText()).toContain('<img src=x>');
    expect(await form.locator('img').count()).toBe(0);
    const link = form.getByRole('link', { name: /#error-validation_error$/ });
    await link.click();
    expect(new URL(page.url()).hash).toBe('#error-validation_error');

    await body.fill('{ "half": ');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('the body is not valid JSON').first().waitFor();
  });

  it.each([
    ['a live key', () => merchant.live_key, /^This is a live key/],
    ['a text that is no key', () => 'sk_test_short', /^This is no test key/],
    ['nothing', () => '', /^Enter a test key/],
  ])('with %s the form says so and sends nothing (Q74)', async (_name, key, sentence) => {
    const { page, asked } = await openReader(await browser.visit('desktop'), shared.stack);
    const form = await openForm(page, 'listGroupPayments');
    const field = form.getByLabel('Test key', { exact: true });
    await field.fill(key());
    if (key() === merchant.live_key) {
      await form.getByRole('alert').filter({ hasText: sentence }).waitFor();
      expect(await field.inputValue()).toBe('');
    }
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByRole('alert').filter({ hasText: /key/ }).waitFor();
    if (key() !== merchant.live_key) expect(await form.getByRole('alert').innerText()).toMatch(sentence);
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(asked).toEqual([]);
  });

  it('the key is in no address and in no storage, except in the tab’s own while the reader asks for that (Q74)', async () => {
    const { page } = await openReader(await browser.visit('desktop'), shared.stack);
    const where = (): Promise<string[]> =>
      page.evaluate(
        (key) =>
          Object.entries({
            address: location.href,
            local: JSON.stringify(localStorage),
            session: JSON.stringify(sessionStorage),
            cookie: document.cookie,
            history: JSON.stringify(history.state),
          })
            .filter(([, text]) => text.includes(key))
            .map(([name]) => name),
        merchant.test_key,
      );
    const form = await openForm(page, 'listGroupPayments');
    await sendForm(form, merchant.test_key);
    expect(await where()).toEqual([]);
    const keep = form.getByLabel('Keep it until this tab is closed');
    await keep.check();
    expect(await where()).toEqual(['session']);
    await page.reload();
    const again = await openForm(page, 'listWebhooks');
    expect(await again.getByLabel('Test key', { exact: true }).inputValue()).toBe(merchant.test_key);
    await again.getByLabel('Keep it until this tab is closed').uncheck();
    expect(await where()).toEqual([]);
    await page.reload();
    const third = await openForm(page, 'listWebhooks');
    expect(await third.getByLabel('Test key', { exact: true }).inputValue()).toBe('');
  });

  it('parameters of the query are sent, pairs and lists included (Q74)', async () => {
    const { page } = await openReader(await browser.visit('desktop'), shared.stack);
    const api = openApi(shared.stack, merchant);
    const { group_payment } = await newGroup(api, 1, { metadata: { table: 77 } });
    const form = await openForm(page, 'listGroupPayments');
    await form.getByText(/^Query \(\d+\)$/).click();
    await form.getByLabel('metadata').fill('table=77');
    await form.getByLabel('state').selectOption('open');
    await form.getByLabel('expand').fill('payments');
    expect(await sendForm(form, merchant.test_key)).toMatch(/^Answer 200/);
    expect(await readBody(form)).toMatchObject({ group_payments: [{ id: group_payment.id }] });
  });

  it('the stream of events is shown as it comes, and stopped by the reader (Q74)', async () => {
    const { page } = await openReader(await browser.visit('desktop'), shared.stack);
    const api = openApi(shared.stack, merchant);
    const form = await openForm(page, 'streamEvents');
    expect(await sendForm(form, merchant.test_key)).toBe('Answer 200 OK. Events are shown as they come.');
    const { group_payment } = await newGroup(api, 1);
    await api.client.cancelGroupPayment(group_payment.id);
    await form.getByLabel('Body of the answer').filter({ hasText: group_payment.id }).waitFor();
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByText('Stopped.').waitFor();
    expect(await form.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  it('the page offers a form again when its script did not load (Q74)', async () => {
    const { visitor, page } = await openReader(await browser.visit('desktop'), shared.stack);
    visitor.expects(/try-it\.js|ERR_FAILED/);
    await page.route('**/docs/try-it.js', (route) => route.abort());
    const button = page.locator('#listWebhooks .try');
    await button.click();
    await button.filter({ hasText: 'could not be loaded' }).waitFor();
    await page.unroute('**/docs/try-it.js');
    await button.click();
    await page.locator('#try-listWebhooks').waitFor();
    expect(await button.innerText()).toBe('Try it');
  });
});

it.each<[Screen, 'light' | 'dark']>([
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
])(
  'the form is accessible and fits a %s in %s colours, with an answer and with an error',
  async (screen, colorScheme) => {
    const { visitor, page } = await openReader(await browser.visit(screen, { colorScheme }), shared.stack);
    visitor.expects(/400/);
    const form = await openForm(page, 'createGroupPayment');
    await sendForm(form, merchant.test_key);
    const refused = await openForm(page, 'createWebhook');
    await refused.getByLabel('Body (JSON)').fill('{}');
    await sendForm(refused, merchant.test_key);
    await refused.getByLabel('Test key', { exact: true }).fill(merchant.live_key);
    // The rest of so long a page is judged by itself.
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('article, .operation:not(:has(form))')) part.remove();
      for (const link of document.querySelectorAll('nav, .menu')) link.remove();
      for (const details of document.querySelectorAll('form details')) details.setAttribute('open', '');
    });
    const broad = await page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      return [...document.querySelectorAll('form, form :is(input, select, textarea, fieldset, pre)')]
        .filter((element) => element.getBoundingClientRect().right > width + 0.5)
        .map(({ outerHTML }) => outerHTML.slice(0, 80));
    });
    expect(broad).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0);
    await visitor.screenshot(`reference-try-${colorScheme}`);
    await (colorScheme === 'light' ? visitor.expectAccessible() : visitor.expectReadableColours());
  },
);
