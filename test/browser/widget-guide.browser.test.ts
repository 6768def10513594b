import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { findForm } from './shop-page.ts';
import { useBrowser } from './use-browser.ts';

const { shared, browser } = useBrowser({ merchants: [] });
let guides: string;
beforeAll(async () => {
  const answer = await fetch(`${shared.stack.api}/openapi.json`);
  guides = ((await answer.json()) as { info: { description: string } }).info.description;
});

const findCode = (language: string): string => {
  const [block, ...more] = listGuideBlocks(guides, 'The widget').filter((each) => each.language === language);
  expect(more).toEqual([]);
  return block?.text ?? '';
};

/**
 * Opens a page of the shop, whose origin is registered, with this in its body, and the endpoint that the guide asks. The
 * page is one that the shop serves, with another text: the browser lets no page that a test serves load from this machine.
 */
async function openOrder(page: Page, body: string): Promise<void> {
  const { checkout, shop } = shared.stack;
  const api = openApi(shared.stack, shared.shopkeeper);
  const { group_payment } = await newGroup(api, 2, { group_name: 'Order 42' });
  await page.route(`${shop}/orders/42/session`, async (route) => {
    expect(route.request().method()).toBe('POST');
    await route.fulfill({ json: await api.client.createSession(group_payment.id) });
  });
  const loader = `<script src="${checkout}/widget/v1.js"></script>`;
  const count = `<script>var ready = 0; addEventListener('service:ready', () => ready++);</script>`;
  const html = `<!doctype html><html lang="en"><title>Order 42</title><main>${count}${loader}${body}</main></html>`;
  await page.goto(shop);
  await page.setContent(html);
}

it.each([
  [
    'js',
    () => `<div id="pay"></div><script>${findCode('js')}</script>`,
    { locale: 'nl', background: 'rgb(246, 241, 231)', font: /^Georgia/, radius: '4px' },
  ],
  [
    'html',
    () => findCode('html'),
    { locale: 'en', background: 'rgb(244, 243, 239)', font: /^system-ui/, radius: '10px' },
  ],
] as const)(
  'the %s of the guide "The widget" shows the payment form in a shop’s page',
  async (_language, build, { locale, background, font, radius }) => {
    const { page } = await browser.visit('desktop', { bypassCSP: true });
    await openOrder(page, build());
    const { form, heading } = findForm(page, 'iframe');
    await heading('Order 42').waitFor();
    expect(await page.evaluate(() => (window as unknown as { ready: number }).ready)).toBe(1);
    expect(await form.locator('html').getAttribute('lang')).toMatch(new RegExp(`^${locale}`));
    const drawn = await form
      .locator('.field input')
      .first()
      .evaluate((field) => {
        const { backgroundColor, fontFamily } = getComputedStyle(document.body);
        return { backgroundColor, fontFamily, radius: getComputedStyle(field).borderRadius };
      });
    expect(drawn).toEqual({ backgroundColor: background, fontFamily: expect.stringMatching(font), radius });
  },
);
