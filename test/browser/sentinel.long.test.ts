import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { findManifest, pspCodes, pspCodesWithFlow, type PspCode } from '@gp/gateway-registry';
import { openTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { openApi, newGroup } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser } from './support.ts';

/** Test cards and a code that nothing else here could be taken for. */
const CARD = '5555555555554444';
const CODE = '739';
const DECLINED = '4000000000000002';
const CHALLENGED = '4000002760003184';

let own: OwnStack;
let traces: TraceReceiver;
let browser: TestBrowser;
/** Values that must be found nowhere, by kind. */
const secrets = new Map<string, string>([
  ['card number', CARD],
  ['card number as typed', '5555 5555 5555 4444'],
  ['declined card number', DECLINED],
  ['challenged card number', CHALLENGED],
]);
/** Everything a browser had of our pages, by where it was. */
const kept = { html: '', storage: '', urls: '', said: '' };

beforeAll(async () => {
  traces = await openTraceReceiver();
  own = await openOwnStack({
    ...traces.settings,
    TRACE_SAMPLE_RATIO: '1',
    LOG_LEVEL: 'debug',
  });
  browser = await openBrowser();
  for (const gateway of pspCodes) {
    await readSecrets(gateway);
    await payInBrowser(gateway);
  }
  await browser.dismiss();
}, BROWSER_START_MS + 240_000);

afterAll(async () => {
  await browser?.close();
  await own?.close();
  await traces?.close();
});

/** Keys and password of the merchant, and the entered credentials of the gateway. */
async function readSecrets(gateway: PspCode): Promise<void> {
  const merchant = findMerchant(own.stack, gateway);
  const answer = await fetch(`${own.stack.sandbox}/control/${gateway}/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: merchant.merchant_id }),
  });
  const credentials = (await answer.json()) as Record<string, string>;
  for (const [name, value] of Object.entries({ ...merchant, ...credentials }))
    if (/_key$|secret|password/.test(name) && name !== 'publishable_key')
      secrets.set(`${name} of ${gateway}`, String(value));
}

/** A declined card first, where the page takes one: an error is more likely to be reported with its data. */
async function payInBrowser(gateway: PspCode): Promise<void> {
  const group = await newGroup(openApi(own.stack, findMerchant(own.stack, gateway)), 1);
  const visitor = await browser.visit('phone');
  const { page } = visitor;
  visitor.expects(/40[02]/);
  listen(page.context());
  await page.goto(group.checkout_url);
  await page.getByLabel('E-mail').fill('ana@payers.example');
  await page.getByLabel(/^Name \(/).fill('Ana Example');
  await page.getByRole('button', { name: /^(Continue with|Pay .* at the bank)/ }).click();
  const { flow } = findManifest(gateway);
  if (flow === 'redirect') await payAtBank(page);
  else {
    await payHere(page, DECLINED);
    await waitForAlert(page, /declined/);
    await keep(page);
    if (flow === 'embedded') await refuseOnce(page);
    await payHere(page, CARD);
  }
  await allPaid(page);
  await keep(page);
  await page.reload();
  await allPaid(page);
  await keep(page);
}

const waitForAlert = (page: Page, text: RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();
const allPaid = (page: Page) => page.getByRole('heading', { name: 'All paid. Thank you!' }).waitFor();

async function payHere(page: Page, number: string): Promise<void> {
  await page.locator('.card-ready').waitFor();
  const fields = page.frameLocator('.card-place iframe');
  await fields.getByLabel('Card number').fill(number);
  await fields.getByLabel('Expiry date').fill('12 / 34');
  await fields.getByLabel('Security code').fill(CODE);
  await keep(page);
  await page.getByRole('button', { name: /^Pay / }).click();
}

async function refuseOnce(page: Page): Promise<void> {
  await payHere(page, CHALLENGED);
  await page.frameLocator('dialog iframe').getByRole('button', { name: 'No, refuse it' }).click();
  await waitForAlert(page, /could not verify/);
}

async function payAtBank(page: Page): Promise<void> {
  await page.getByRole('button', { name: '5555 5555 5555 4444' }).click();
  await keep(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
}

function listen(context: BrowserContext): void {
  context.on('request', (request) => (kept.urls += `${request.url()}\n`));
  context.on('console', (message) => (kept.said += `${message.text()}\n`));
  context.on('page', (page) => page.on('framenavigated', (frame) => (kept.urls += `${frame.url()}\n`)));
}

/**
 * The current content of the page, frames and storage of every origin in it included. The bank's page lists the test
 * cards.
 */
async function keep(page: Page): Promise<void> {
  for (const frame of page.frames())
    await keepFrame(frame).catch((error: unknown) => {
      // One that goes away meanwhile holds nothing any more.
      if (!frame.isDetached()) throw error;
    });
  kept.storage += JSON.stringify(await page.context().cookies());
}

const isBank = (url: string) => pspCodesWithFlow('redirect').some((code) => url.includes(`/${code}/`));

async function keepFrame(frame: Frame): Promise<void> {
  if (!isBank(frame.url())) kept.html += await frame.content();
  kept.storage += await frame.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
}

/** Names of the secrets that a text holds. */
const found = (text: string): string[] =>
  [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);

const CIPHERTEXT = /ev:[A-Za-z0-9]{4}:/;

describe('after payments in a browser on every gateway, no key, card field or ciphertext is found', () => {
  it('the search covers every secret of every merchant', () => {
    expect(secrets.size).toBeGreaterThan(15);
    expect([...secrets.values()].every((secret) => secret.length > 8)).toBe(true);
  });

  it.each([
    ['html', /All paid/],
    ['storage', /intentId/],
    ['urls', /\/confirm$/m],
    ['said', /40[02]/],
  ] as const)("no secret is in the browser's data: %s", (where, sign) => {
    const text = kept[where];
    expect(text).toMatch(sign);
    expect(found(text)).toEqual([]);
    expect(text).not.toMatch(CIPHERTEXT);
  });

  it('no secret is in any log line at the debug level', async () => {
    const text = await readFile(join(own.dataDir, 'services.log'), 'utf8');
    expect(text).toContain('confirm');
    expect(found(text)).toEqual([]);
    expect(text).not.toMatch(CIPHERTEXT);
    expect(text).not.toContain('@payers.example');
  });

  it('no secret is in any span', () => {
    expect(traces.text()).toContain('confirm');
    expect(found(traces.text())).toEqual([]);
    expect(traces.text()).not.toMatch(CIPHERTEXT);
  });
});
