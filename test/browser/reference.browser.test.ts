import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { docsPage } from '@gp/reference';
import { watchShifts } from './shifts.ts';
import { BROWSER_START_MS, layOutEverything, openBrowser, type Screen, type TestBrowser } from './support.ts';

const ADDRESSES = { api: 'https://api.example', checkout: 'https://pay.example' };

/** The address at which the page comes in three pieces: the second begins with the search, the third with the script. */
const SLOWLY = '/docs?slowly';

let server: Server;
let browser: TestBrowser;

beforeAll(async () => {
  const { html, contentSecurityPolicy } = await docsPage({ ...ADDRESSES, nowMs: Date.now() });
  server = createServer((request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    });
    if (request.url === SLOWLY) void sendSlowly(html, response);
    else response.end(html);
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

/** Sends the page as a slow network does: what precedes each piece is painted before it comes. */
async function sendSlowly(html: string, response: ServerResponse): Promise<void> {
  const starts = [html.indexOf('<form class="search"'), html.lastIndexOf('<script>')];
  let sent = 0;
  for (const start of starts) {
    response.write(html.slice(sent, start));
    sent = start;
    await sleep(1_000);
  }
  response.end(html.slice(sent));
}

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;

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
    await page.goto(address());
    await page.getByRole('heading', { level: 1 }).waitFor();
    // So long a page takes axe a while: the same markup is judged once.
    if (screen === 'phone') await visitor.expectAccessible();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
    });
    for (const radio of await page.getByRole('radio').all()) {
      await radio.check();
      expect(await page.evaluate(tooBroad)).toEqual([]);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  },
);

/** Runs in the page: tables that have to be scrolled sideways. */
const listCutTables = (): string[] =>
  [...document.querySelectorAll('.wide')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent.slice(0, 80));

it('on a desktop every table of the guides is seen whole, that of the errors too', async () => {
  const { page } = await browser.visit('desktop');
  await page.goto(address());
  await page.evaluate(layOutEverything);
  expect(await page.locator('.wide').count()).toBeGreaterThan(0);
  expect(await page.evaluate(listCutTables)).toEqual([]);
});

/** Runs in the page: short code, such as the name of a header, that is written on more than one line. */
function listBroken(): string[] {
  const lines = (element: Element): number => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  };
  return [...document.querySelectorAll('code:not(pre *)')]
    .filter((code) => /^\S{1,24}$/.test(code.textContent) && lines(code) > 1)
    .map((code) => `${code.parentElement?.localName}: ${code.textContent}`);
}

it.each<Screen>(['phone', 'desktop'])('a short word of code stays on one line on a %s', async (screen) => {
  const { page } = await browser.visit(screen);
  await page.goto(address());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
  });
  await page.evaluate(layOutEverything);
  expect(await page.evaluate(listBroken)).toEqual([]);
});

it.each<Screen>(['phone', 'desktop'])(
  'on a %s nothing moves while the page arrives, nor when its script shows the search',
  async (screen) => {
    const { page } = await browser.visit(screen);
    await watchShifts(page);
    await page.goto(address().replace('/docs', SLOWLY), { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('searchbox').waitFor();
    // The browser reports a shift with the next frame.
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => window.shifts)).toBe(0);
  },
);

it('a search puts what has a word of the query in its name before what only mentions all of them', async () => {
  const { page } = await browser.visit('desktop');
  await page.goto(address());
  await page.getByRole('searchbox').fill('refund tip');
  const found = page.getByRole('list', { name: 'Found' }).getByRole('link');
  await found.first().waitFor();
  // The guide "What payers see" mentions both and stands before.
  expect(await found.first().innerText()).toMatch(/refund/i);
  await found.filter({ hasText: 'What payers see' }).waitFor();
});

it('a search finds operations and guides by their words and leads there, by keyboard alone', async () => {
  const { page } = await browser.visit('phone');
  await page.goto(address());
  await page.keyboard.press('/');
  await page.keyboard.type('roll secret');
  const found = page.getByRole('list', { name: 'Found' }).getByRole('link');
  await found.first().waitFor();
  // The operation of that name comes before guides that mention it.
  expect(await found.first().getAttribute('href')).toBe('#rollWebhookSecret');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).hash).toBe('#rollWebhookSecret');
  expect(
    await page.locator('#rollWebhookSecret').evaluate((place) => place.getBoundingClientRect().top),
  ).toBeLessThan(200);
  expect(await found.count()).toBe(0);

  await page.getByRole('searchbox').fill('xylophone');
  await page.getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing found.').waitFor({ state: 'hidden' });
});

/** The samples that are displayed of an operation, by their first words. */
const readSamples = (page: Page, operation: string): Promise<string[]> =>
  page
    .locator(`#${operation} .sample:visible`)
    .evaluateAll((all) => all.map((one) => one.textContent.trim().slice(0, 12)));

it.each<[string, boolean]>([
  ['with its script', true],
  ['without its script', false],
])(
  'the page %s displays curl at first, and the language that the reader chose by keyboard for every operation',
  async (_name, javaScriptEnabled) => {
    const { page } = await browser.visit('phone', { javaScriptEnabled });
    await page.goto(address());
    expect(await readSamples(page, 'createGroupPayment')).toEqual(['curl -X POST']);
    await page.getByRole('radio', { name: 'curl' }).focus();
    for (const [name, begin, other] of [
      ['TypeScript', 'import { ope', 'import { fol'],
      ['Python', 'import os', 'import os'],
      ['Go', 'package main', 'package main'],
    ] as const) {
      await page.keyboard.press('ArrowRight');
      expect(await page.getByRole('radio', { name, exact: true }).isChecked()).toBe(true);
      const [shown, ...more] = await readSamples(page, 'createGroupPayment');
      expect({ begins: shown?.startsWith(begin), more }).toEqual({ begins: true, more: [] });
      expect((await readSamples(page, 'streamEvents')).map((text) => text.startsWith(other))).toEqual([true]);
    }
  },
);

it('an example is copied as it stands, and selected where the browser allows no copying', async () => {
  const { page } = await browser.visit('desktop', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(address());
  const example = page.locator('#createGroupPayment .code').first();
  await example.getByRole('button', { name: 'Copy' }).click();
  await example.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^curl -X POST "https:\/\/api\.example\/v1\/group-payments" \\\n/);
  expect(copied).toBe((await example.locator('pre').innerText()).trimEnd());

  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await example.getByRole('button', { name: 'Copy' }).click();
  await example.getByRole('button', { name: 'Selected' }).waitFor();
  expect(await page.evaluate(() => String(getSelection()).startsWith('curl -X POST'))).toBe(true);
});
