import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { book, findForm, readEvents } from './shop-page.ts';
import { BROWSER_START_MS, openBrowser, type Screen, type TestBrowser } from './support.ts';

const TEST_MS = 150_000;

// The shop has one merchant, whose gateway another file switches.
let own: OwnStack;
let browser: TestBrowser;

beforeAll(async () => {
  own = await openOwnStack();
  await switchGateway(own.stack, findMerchant(own.stack, 'multi'), 'gateway_a');
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser.dismiss());
afterAll(async () => {
  await browser?.close();
  await own?.close();
});

/** Books at the shop, and mounts its form anew with these attributes, the accent of the shop included. */
async function openForm(screen: Screen, attributes: Record<string, string>, options?: BrowserContextOptions) {
  const visitor = await browser.visit(screen, options);
  const errors: string[] = [];
  visitor.page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await book(visitor.page, own.stack.shop, 'plain');
  await remount(visitor.page, attributes);
  const payer = findForm(visitor.page);
  await payer.heading('The old lighthouse').waitFor();
  return { visitor, errors, payer };
}

const remount = (page: Page, attributes: Record<string, string>) =>
  page.evaluate((wished) => {
    const place = document.querySelector('[data-service-group-pay]');
    const anew = place?.cloneNode() as HTMLElement;
    Object.assign(anew.dataset, wished);
    place?.replaceWith(anew);
  }, attributes);

/** What a browser draws of the form, by the property that a theme changes. */
const readDrawn = ({ form }: ReturnType<typeof findForm>) =>
  form.locator('body').evaluate((body) => {
    const read = (selector: string, property: string): string =>
      getComputedStyle(body.querySelector(selector) ?? body).getPropertyValue(property);
    return {
      scheme: read('body', 'color-scheme'),
      background: read('body', 'background-color'),
      ink: read('body', 'color'),
      font: read('button', 'font-family'),
      field: read('.field input', 'border-radius'),
      button: read('.primary', 'border-radius'),
      tile: read('.tile', 'border-radius'),
    };
  });

it(
  'a shop’s page draws the form dark or light as it wishes, whatever the payer’s device is (Q104)',
  async () => {
    const dark = await openForm('phone', { colorScheme: 'dark' }, { colorScheme: 'light' });
    expect(await readDrawn(dark.payer)).toMatchObject({
      scheme: 'dark',
      background: 'rgb(23, 24, 27)',
      ink: 'rgb(241, 240, 236)',
    });
    await dark.payer.choose(1, 'ana');
    await dark.visitor.expectAccessible();
    await dark.visitor.screenshot('widget-look-dark');
    // The gateway's own fields and the wallets follow.
    await dark.payer.goOn.click();
    await dark.payer.form.locator('.card-ready').waitFor();
    const card = dark.payer.form.frameLocator('.card-place iframe').getByLabel('Card number');
    expect(await card.evaluate((field) => getComputedStyle(field).color)).toBe('rgb(241, 240, 236)');
    await dark.visitor.expectAccessible();
    await dark.visitor.screenshot('widget-look-dark-card');
    expect(dark.errors).toEqual([]);

    const light = await openForm('phone', { colorScheme: 'light' }, { colorScheme: 'dark' });
    expect(await readDrawn(light.payer)).toMatchObject({
      scheme: 'light',
      background: 'rgb(244, 243, 239)',
      ink: 'rgb(29, 31, 35)',
    });
    await light.visitor.expectAccessible();
    await light.visitor.screenshot('widget-look-light');
  },
  TEST_MS,
);

it(
  'a form that follows its page has the scheme that the page declares, and the device’s where it declares both (Q104)',
  async () => {
    const { visitor, payer } = await openForm('desktop', { colorScheme: 'auto' }, { colorScheme: 'light' });
    expect((await readDrawn(payer)).scheme).toBe('light dark');
    expect((await readDrawn(payer)).background).toBe('rgb(244, 243, 239)');
    await visitor.page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'));
    await remount(visitor.page, {});
    await payer.heading('The old lighthouse').waitFor();
    expect(await readDrawn(payer)).toMatchObject({ scheme: 'dark', background: 'rgb(23, 24, 27)' });
  },
  TEST_MS,
);

it.each([
  ['light', '#f6f1e7', 'rgb(246, 241, 231)', 'light'],
  ['dark', 'rgb(16, 42, 67)', 'rgb(16, 42, 67)', 'dark'],
  ['middle', '#777', 'rgb(119, 119, 119)', 'light'],
] as const)(
  'a form has the %s background, the radius and the font of its page, and texts that can be read on it (Q104)',
  async (name, background, drawn, scheme) => {
    const theme = { background, radius: '4', font: 'serif', accentColor: '#ffee00' };
    const { visitor, payer, errors } = await openForm('phone', theme, { colorScheme: 'dark' });
    expect(await readDrawn(payer)).toMatchObject({
      scheme,
      background: drawn,
      font: 'Georgia, "Times New Roman", serif',
      field: '4px',
      button: '4px',
      tile: '4px',
    });
    await payer.choose(1, 'ana');
    await visitor.expectAccessible();
    await visitor.screenshot(`widget-look-${name}`);
    await payer.goOn.click();
    await payer.form.locator('.card-ready').waitFor();
    await visitor.expectAccessible();
    await visitor.screenshot(`widget-look-${name}-card`);
    expect(errors).toEqual([]);
  },
  TEST_MS,
);

it(
  'a form leaves wrong values of a theme out and names them on the console, and nothing is loaded for them (Q104)',
  async () => {
    const theme = {
      colorScheme: 'dim',
      background: 'url(https://evil.example/x)',
      radius: '99',
      font: "x';src:url(https://evil.example/y)",
    };
    const asked: string[] = [];
    const visitor = await browser.visit('desktop', { colorScheme: 'light' });
    visitor.expects(/theme\.(colorScheme|background|radius|font) must be/);
    const { page } = visitor;
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    await book(page, own.stack.shop, 'plain');
    await remount(page, theme);
    const payer = findForm(page);
    await payer.heading('The old lighthouse').waitFor();
    expect(errors).toEqual([
      'ServiceGroupPay: theme.colorScheme must be light|dark|auto',
      'ServiceGroupPay: theme.background must be a colour like #0a7 or #00aa77',
      'ServiceGroupPay: theme.radius must be 0 to 24',
      'ServiceGroupPay: theme.font must be system|sans-serif|serif|monospace|rounded',
    ]);
    expect(await readDrawn(payer)).toMatchObject({ background: 'rgb(244, 243, 239)', field: '10px' });
    expect(await readEvents(page)).toEqual([]);
    expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
    await payer.choose(1, 'ana');
  },
  TEST_MS,
);

it(
  'a frame checks a theme again that a script of the page sent without the loader (Q104)',
  async () => {
    const visitor = await browser.visit('desktop', { colorScheme: 'light' });
    visitor.expects(/theme\.(background|font) must be/);
    const { page } = visitor;
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await book(page, own.stack.shop, 'plain');
    await page.evaluate(
      ([checkout, theme]) => {
        document.querySelector('[data-service-group-pay]')?.remove();
        const frame = document.createElement('iframe');
        frame.id = 'forged';
        frame.src = `${checkout}/embed/v1?origin=${encodeURIComponent(location.origin)}`;
        addEventListener('message', ({ data, source }) => {
          if (source !== frame.contentWindow || data?.type !== 'service-group-pay:ready') return;
          const message = { type: 'service-group-pay:connect', theme };
          frame.contentWindow?.postMessage(message, checkout, [new MessageChannel().port2]);
        });
        document.body.append(frame);
      },
      [
        new URL(own.stack.checkout).origin,
        { background: 'red;background:url(//evil.example)', font: 'x;color:red', radius: 7, more: '1' },
      ] as const,
    );
    const frame = page.frameLocator('#forged');
    const root = frame.locator('html');
    const drawn = () => root.evaluate((html) => getComputedStyle(html).getPropertyValue('--round'));
    await eventually(async () => (await drawn()) === '7px' || undefined);
    expect(await root.getAttribute('style')).toMatch(/^(--round[\w-]*: 7px; ?){3}$/);
    expect(errors).toEqual([
      'ServiceGroupPay: theme.background must be a colour like #0a7 or #00aa77',
      'ServiceGroupPay: theme.font must be system|sans-serif|serif|monospace|rounded',
    ]);
  },
  TEST_MS,
);

it(
  'the texts of the sample shop keep a distance of 2 rem from the form',
  async () => {
    const { page } = await browser.visit('desktop');
    await book(page, own.stack.shop, 'plain');
    const frame = await page.locator('.payment').boundingBox();
    const ends = await page.locator('.summary').evaluate((summary) => {
      const range = document.createRange();
      range.selectNodeContents(summary);
      return [...range.getClientRects()].map(({ right }) => right);
    });
    expect(Math.max(...ends)).toBeLessThanOrEqual((frame?.x ?? 0) - 32);
  },
  TEST_MS,
);
