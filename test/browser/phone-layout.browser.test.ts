import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inSeconds, newGroup, openApi } from '../support/journey.ts';
import { findMerchant } from '../support/stack.ts';
import { openBill, payerPage, type PayerPage } from './payer-page.ts';
import type { Screen } from './support.ts';
import { watchShifts } from './shifts.ts';
import { useBrowser } from './use-browser.ts';

const TEST_MS = 150_000;

const { shared, browser } = useBrowser({ merchants: ['gateway_b', 'gateway_c'] });

/** More presses of Tab than a page has controls. */
const MOST_CONTROLS = 60;
/** What may move by itself while a page loads, as the browser scores it. */
const MOST_SHIFT = 0.02;

const findApi = (gateway: string) => openApi(shared.stack, findMerchant(shared.stack, gateway));

type Bill = {
  readonly screen?: Screen;
  readonly size?: { readonly width: number; readonly height: number };
  readonly gateway?: string;
  readonly isLarge?: boolean;
  readonly group?: Record<string, unknown>;
};

/** Opens a bill of six shares, with text of twice the size where `isLarge`. */
async function openSixShares({ screen = 'phone', size, gateway = 'gateway_b', isLarge, group }: Bill = {}) {
  const visitor = await browser.visit(screen, size ? { viewport: size } : {});
  await watchShifts(visitor.page);
  const created = await newGroup(findApi(gateway), 6, group);
  const bill = await openBill(visitor, created);
  await bill.share(1).waitFor();
  if (isLarge) await bill.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  return { visitor, bill, page: visitor.page, id: created.group_payment.id };
}

/** Returns the box of what is there, px. */
async function measure(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('nothing is there to measure');
  const { x, y, width, height } = box;
  return { x, y, width, height, bottom: y + height, end: x + width };
}

/** Presses Tab through the page and returns what the bar covered, in part or whole, while it had the focus. */
async function listCovered(page: Page): Promise<string[]> {
  const covered: string[] = [];
  await page.evaluate(() => scrollTo(0, 0));
  for (let presses = 0; presses < MOST_CONTROLS; presses++) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(findCovered);
    if (seen === null) return covered;
    if (seen !== '') covered.push(seen);
  }
  throw new Error('the focus never left the page');
}

/** Runs in the page: how much of the focused element is behind the bar; empty without any, null without focus. */
async function findCovered(): Promise<string | null> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { activeElement } = document;
  const bar = document.querySelector('.action');
  if (!activeElement || !bar || activeElement === document.body) return null;
  if (bar.contains(activeElement)) return '';
  const [of, by] = [activeElement.getBoundingClientRect(), bar.getBoundingClientRect()];
  const px = Math.min(of.bottom, by.bottom) - Math.max(of.top, by.top);
  return px > 0.5 ? `${activeElement.outerHTML.slice(0, 60)}: ${Math.round(px)} px` : '';
}

/** Runs in the page: how an element stands out, as ratios of contrast by WCAG. */
function measureContrast(button: Element): { edge: number; text: number } {
  const canvas = document.createElement('canvas').getContext('2d')!;
  /** What is behind an element counts where it has no colour of its own. */
  const paint = (...colors: readonly string[]): number => {
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const compare = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const { borderTopColor, backgroundColor, color } = getComputedStyle(button);
  const ground = getComputedStyle(document.body).backgroundColor;
  const fill = paint(ground, backgroundColor);
  return { edge: compare(paint(ground, borderTopColor), paint(ground)), text: compare(paint(color), fill) };
}

/** Returns a time zone in which it is five o'clock in the morning or a little later: no hour has fewer letters. */
function findZoneAtFive(instant: string): string {
  const hours = new Date(instant).getUTCHours() - 5;
  // POSIX signs: `Etc/GMT+3` is three hours behind UTC.
  const behindUtc = hours > 12 ? hours - 24 : hours;
  return `Etc/GMT${behindUtc < 0 ? '' : '+'}${behindUtc}`;
}

const chooseFirst = async (bill: PayerPage): Promise<void> => {
  await bill.share(1).check();
  await bill.button(/^(Continue with|Pay .* at the bank)/).waitFor();
  // What measures the bar comes with the later steps, after the first touch.
  await bill.page.waitForFunction(() => document.documentElement.style.scrollPaddingBottom !== '');
};

describe('the page of a bill', () => {
  it.each([
    { size: { width: 360, height: 640 }, shares: 2 },
    { size: { width: 360, height: 740 }, shares: 4 },
  ])(
    'the first screen of $size.width × $size.height px has the whole summary and $shares shares above the bar, and nothing moves',
    async ({ size, shares }) => {
      const { page, bill, visitor } = await openSixShares({ size });
      const bar = await measure(page.locator('.action'));
      expect(bar.bottom).toBe(size.height);
      const summary = ['#bill-name', '.payee', '.sums', '.count', '.clock', '.promise'];
      for (const part of [...summary.map((each) => page.locator(each)), bill.state(shares)])
        expect((await measure(part)).bottom).toBeLessThanOrEqual(bar.y);
      expect(await page.evaluate(() => window.shifts)).toBeLessThanOrEqual(MOST_SHIFT);
      await bill.expectGood();
      await visitor.screenshot(`checkout-first-screen-${size.height}`);
    },
    TEST_MS,
  );

  it.each([
    { left: 'half an hour', seconds: 1_800, width: 320, locale: 'en-GB' },
    { left: 'two hours', seconds: 7_500, width: 390, locale: 'en-GB' },
    { left: 'hours', seconds: 4.2 * 3_600, width: 390, locale: 'de-DE' },
    { left: 'days', seconds: 3.2 * 86_400, width: 412, locale: 'en-GB' },
  ])(
    'a bill that is open for $left stays where it is when the script writes its end in the time of the device ($width px, $locale)',
    async ({ seconds, width, locale }) => {
      const expires_at = inSeconds(seconds);
      const timezoneId = findZoneAtFive(expires_at);
      const { page } = await browser.visit('phone', { locale, timezoneId, viewport: { width, height: 740 } });
      await watchShifts(page);
      const created = await newGroup(findApi('gateway_b'), 6, { expires_at });
      await page.goto(created.checkout_url);
      await page.locator('.clock small', { hasNotText: 'UTC' }).waitFor();
      await page.waitForTimeout(500);
      expect(await page.evaluate(() => window.shifts)).toBeLessThanOrEqual(MOST_SHIFT);
    },
    TEST_MS,
  );

  it.each<Bill & { name: string }>([
    { name: 'a phone', size: { width: 360, height: 640 } },
    { name: 'a phone, large text', size: { width: 360, height: 640 }, isLarge: true },
    { name: 'a zoom of 400 %', screen: 'desktop', size: { width: 320, height: 256 } },
    {
      name: 'a bank with large text',
      size: { width: 390, height: 844 },
      gateway: 'gateway_c',
      isLarge: true,
    },
    {
      name: 'a tip with large text',
      size: { width: 360, height: 640 },
      group: { total_amount: 123_456.78, tips: { max_amount: 3 } },
      isLarge: true,
    },
  ])(
    'the bar leaves three quarters of the screen free, and nothing that has the focus is behind it: $name',
    async (o) => {
      const { page, bill, visitor } = await openSixShares(o);
      await chooseFirst(bill);
      if (o.group) {
        await page.getByRole('radio').nth(1).check();
        await bill.button(/^Continue with/).waitFor();
      }
      expect(await listCovered(page)).toEqual([]);
      // The bar is at the bottom once the shares have reached the top.
      await page
        .locator('.tile')
        .first()
        .evaluate((tile) => tile.scrollIntoView());
      const [{ y }, height] = [
        await measure(page.locator('.action')),
        await page.evaluate(() => innerHeight),
      ];
      expect(y).toBeGreaterThanOrEqual(0.75 * height);
      await bill.expectGood();
      await visitor.screenshot(`checkout-bar-${o.name.replaceAll(/\W+/g, '-')}`);
    },
    TEST_MS,
  );

  it(
    'the button that chooses all shares gives them back with its next press, keeps the focus, and chooses the rest after some (Q114)',
    async () => {
      const { page, bill, visitor } = await openSixShares();
      const all = bill.button('Take all 6 available shares: €60.00');
      await all.focus();
      await page.keyboard.press('Enter');
      const none = page.locator('button:focus', { hasText: 'Choose none' });
      await none.waitFor();
      expect(await page.getByRole('checkbox', { name: /^Share/, checked: true }).count()).toBe(6);
      await bill.expectGood();
      await visitor.screenshot('checkout-all-chosen');
      await page.keyboard.press('Enter');
      await all.waitFor();
      expect(await page.getByRole('checkbox', { name: /^Share/, checked: true }).count()).toBe(0);
      await bill.share(2).check();
      await all.click();
      await bill.share(2).uncheck();
      await all.waitFor();
    },
    TEST_MS,
  );

  it.each(['light', 'dark'] as const)(
    'the button that waits for a choice has the shape of a button, an edge of 3:1 and a text of 4.5:1: %s',
    async (colorScheme) => {
      const visitor = await browser.visit('desktop', { colorScheme });
      const bill = await openBill(visitor, await newGroup(findApi('gateway_b'), 3));
      const button = bill.button('Choose a share to continue');
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      const { edge, text } = await button.evaluate(measureContrast);
      expect(edge).toBeGreaterThanOrEqual(3);
      expect(text).toBeGreaterThanOrEqual(4.5);
      const [{ width }, field] = [await measure(button), await measure(bill.page.getByLabel('E-mail'))];
      expect(width).toBeLessThan(0.75 * field.width);
      await visitor.screenshot(`checkout-waits-${colorScheme}`);
    },
    TEST_MS,
  );

  it(
    'the card fields of the gateway have the edges, the height and the corners of our own',
    async () => {
      const visitor = await browser.visit('phone');
      const bill = await openBill(visitor, await newGroup(findApi('gateway_b'), 2));
      await bill.take([1], 'ana');
      await bill.cardIsThere();
      const fields = bill.page.frameLocator('.card-place iframe');
      const [own, number, cvc] = [
        bill.page.getByLabel('Name on the card'),
        fields.getByLabel('Card number'),
        fields.getByLabel('Security code'),
      ];
      const [mine, theirs, last] = [await measure(own), await measure(number), await measure(cvc)];
      expect([theirs.x, theirs.end, theirs.height]).toEqual([mine.x, mine.end, mine.height]);
      expect(last.end).toBe(mine.end);
      const readCorner = (field: Locator) => field.evaluate((node) => getComputedStyle(node).borderRadius);
      expect(await readCorner(number)).toBe(await readCorner(own));
      await visitor.screenshot('checkout-card-edges');
    },
    TEST_MS,
  );

  it(
    'the card fields of the gateway fit a small phone with text of twice the size, one below the other',
    async () => {
      const { page, bill, visitor } = await openSixShares({
        size: { width: 320, height: 568 },
        isLarge: true,
      });
      await bill.take([1], 'ana');
      await bill.cardIsThere();
      const fields = page.frameLocator('.card-place iframe');
      const measureFrame = (html: Element) => {
        (html as HTMLElement).style.fontSize = '200%';
        return { needs: html.scrollWidth, has: html.clientWidth };
      };
      const { needs, has } = await fields.locator('html').evaluate(measureFrame);
      expect(needs).toBeLessThanOrEqual(has);
      const [expiry, code] = [
        await measure(fields.getByLabel('Expiry date')),
        await measure(fields.getByLabel('Security code')),
      ];
      expect(code.y).toBeGreaterThanOrEqual(expiry.bottom);
      await bill.expectGood();
      await visitor.screenshot('checkout-card-large');
    },
    TEST_MS,
  );

  it(
    'the shares of a cancelled bill have an edge like others, none of them can be chosen, and their mark is not that of an available share',
    async () => {
      const { page, bill, visitor, id } = await openSixShares();
      const readDot = () =>
        page
          .locator('.dot')
          .first()
          .evaluate((dot) => dot.getBoundingClientRect().height);
      const free = await readDot();
      await findApi('gateway_b').client.cancelGroupPayment(id);
      await bill.heading('This bill was cancelled').waitFor();
      const edges = await page
        .locator('.tile')
        .evaluateAll((tiles) => tiles.map((tile) => getComputedStyle(tile).borderTopColor));
      expect(edges).toHaveLength(6);
      expect(edges).not.toContain('rgba(0, 0, 0, 0)');
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await readDot()).toBeLessThan(free / 2);
      await bill.expectGood();
      await visitor.screenshot('checkout-cancelled');
    },
    TEST_MS,
  );
});

it(
  'the mailbox of a trial stack does not scroll sideways on a small phone, however long the addresses in its mails are',
  async () => {
    const visitor = await browser.visit('phone', { viewport: { width: 360, height: 640 } });
    await visitor.page.goto(`${shared.stack.dashboard}/mailbox`);
    await visitor.page
      .getByRole('link', { name: /#token=/ })
      .first()
      .waitFor();
    await payerPage(visitor).expectGood();
    await visitor.screenshot('mailbox');
  },
  TEST_MS,
);
