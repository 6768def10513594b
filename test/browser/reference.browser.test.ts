import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { docsPage } from '@gp/reference';
import { BROWSER_START_MS, openBrowser, type Screen, type TestBrowser } from './support.ts';

let server: Server;
let browser: TestBrowser;

beforeAll(async () => {
  const { html, contentSecurityPolicy } = await docsPage();
  server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser.dismiss());
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Runs in the page: what is broader than the screen and cannot be scrolled by itself. */
function tooBroad(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > width + 0.5 && !scrolls(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
}

it.each<Screen>(['phone', 'desktop'])(
  'the description of the interface can be read on a %s without scrolling sideways, everything unfolded',
  async (screen) => {
    const visitor = await browser.visit(screen);
    const { page } = visitor;
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // So long a page takes axe a while: the same markup is judged once.
    if (screen === 'phone') await visitor.expectAccessible();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
    });
    expect(await page.evaluate(tooBroad)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  },
);
