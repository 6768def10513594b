import { describe, expect, it } from '@jest/globals';
import { drawPng, eventually } from '@gp/testing';
import type { Page } from 'playwright-core';
import { openDashboard } from '../support/dashboard.ts';
import { book, findForm } from './shop-page.ts';
import { useDashboard } from './use-browser.ts';

const TEST_MS = 150_000;
const GREEN = drawPng({ width: 240, height: 80 });

const fixture = useDashboard();

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
const plates = (page: Page) => page.locator('.page-preview .logo-plate');
/** Waits until a picture is shown, and returns its size in the file. */
const sizeOf = (page: Page, selector: string) =>
  eventually(async () => {
    const size = await page
      .locator(selector)
      .first()
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    return size[0] === 0 ? undefined : size;
  });

/** Sets the merchant's logo without a page, and waits until checkout has it; returns the name of its file. */
async function setLogo(picture: Buffer | null): Promise<string> {
  const dashboard = await openDashboard(fixture.shared.stack, fixture.merchant);
  const logo = picture && { media_type: 'image/png', content: picture.toString('base64') };
  const { body } = await dashboard.put('branding/logo', { mode: 'test', logo });
  const file = String(body['logo']);
  if (picture)
    await eventually(
      async () => (await fetch(`${fixture.shared.stack.checkout}/logos/${file}`)).ok || undefined,
    );
  return file;
}

/** Draws a picture in the browser, as its encoder writes it. */
async function drawIn(page: Page, type: string, [width, height]: readonly [number, number]): Promise<Buffer> {
  const url = await page.evaluate(
    ({ type, width, height }) => {
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext('2d')!;
      // Every pixel another colour: nothing that could be compressed well.
      const noise = context.createImageData(width, height);
      for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
      context.putImageData(noise, 0, 0);
      return canvas.toDataURL(type);
    },
    { type, width, height },
  );
  expect(url.startsWith(`data:${type};`)).toBe(true);
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

describe('the logo in the dashboard', () => {
  it(
    'a member looks at a logo before it is saved, finds it in the header and removes it (Q76)',
    async () => {
      const visitor = await fixture.openAt('/test/branding', 'phone');
      const { page } = visitor;
      await page.getByText('Payers see no logo yet.').waitFor();
      await choose(page, 'logo.png', 'image/png', GREEN);
      await plates(page).last().waitFor();
      expect(await plates(page).count()).toBe(2);
      expect(await page.locator('header .logo-plate').count()).toBe(0);
      await visitor.expectAccessible();
      await page.getByRole('button', { name: 'Save logo' }).click();
      await page.locator('header').getByRole('img', { name: fixture.merchant.name }).waitFor();
      expect(await sizeOf(page, 'header .logo-plate')).toEqual([240, 80]);
      expect(await sizeOf(page, '.page-preview .logo-plate')).toEqual([240, 80]);
      await visitor.expectAccessible();
      await visitor.screenshot('dashboard-logo');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
      await visitor.expectReadableColours();
      await visitor.screenshot('dashboard-logo-dark');
      await page.getByRole('button', { name: 'Remove logo' }).click();
      await page.getByText('Payers see no logo yet.').waitFor();
      expect(await page.locator('.logo-plate').count()).toBe(0);
    },
    TEST_MS,
  );

  it('on 320 px a wide logo is beside the buttons of the header, and not under them', async () => {
    await setLogo(drawPng({ width: 600, height: 100 }));
    const visitor = await fixture.openAt('/test/branding', 'phone');
    const { page } = visitor;
    await page.setViewportSize({ width: 320, height: 568 });
    await sizeOf(page, 'header .logo-plate');
    const logo = (await page.locator('header .logo-plate').boundingBox())!;
    const search = (await page.getByRole('button', { name: 'Find' }).boundingBox())!;
    expect(logo.x + logo.width).toBeLessThanOrEqual(search.x);
    expect(logo.width).toBeGreaterThan(24);
    await visitor.screenshot('dashboard-logo-320');
    await setLogo(null);
  });

  it(
    'the page reduces a picture that is too large, and a file that is no picture is refused with the reason (Q76)',
    async () => {
      const visitor = await fixture.openAt('/test/branding', 'desktop');
      const { page } = visitor;
      visitor.expects(/400.*\/api\/branding\/logo/);
      const save = page.getByRole('button', { name: 'Save logo' });
      await choose(
        page,
        'logo.svg',
        'image/svg+xml',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      );
      await save.click();
      await page.getByRole('alert').filter({ hasText: 'an SVG may contain programs' }).waitFor();
      await choose(page, 'logo.png', 'image/png', Buffer.from('no picture'));
      await page.getByText('This picture cannot be loaded.').waitFor();
      expect(await plates(page).count()).toBe(0);
      await page.mouse.move(0, 0);
      await visitor.expectAccessible();
      await visitor.screenshot('dashboard-logo-broken');
      await choose(page, 'logo.png', 'image/png', drawPng({ width: 2_000, height: 500 }));
      await page.locator('.page-preview img[src^="data:image/png"]').first().waitFor();
      await save.click();
      await eventually(async () => {
        const [width, height] = await sizeOf(page, 'header .logo-plate');
        return (width === 512 && height === 128) || undefined;
      });
    },
    TEST_MS,
  );

  it.each([
    ['image/jpeg', [200, 100]],
    ['image/webp', [200, 100]],
    ['image/png', [200, 60]],
  ] as const)(
    'a %s that this browser wrote is accepted, and is shown after its metadata were removed (Q76)',
    async (type, size) => {
      const { page } = await fixture.openAt('/test/branding', 'desktop');
      const picture = await drawIn(page, type, size);
      await choose(page, 'logo', type, picture);
      await page.getByRole('button', { name: 'Save logo' }).click();
      await eventually(async () => {
        const src = await page.locator('header .logo-plate').first().getAttribute('src');
        return src?.endsWith(type === 'image/jpeg' ? '.jpg' : type.replace('image/', '.')) || undefined;
      });
      expect(await sizeOf(page, 'header .logo-plate')).toEqual(size);
    },
    TEST_MS,
  );
});

describe('the logo where payers are', () => {
  it.each(['light', 'dark'] as const)(
    'a payer sees the logo on a phone in %s mode in a place that is kept for it, so that nothing moves when it loads (Q76)',
    async (colorScheme) => {
      await setLogo(GREEN);
      const group = await fixture.newGroup('Dinner with a logo');
      const visitor = await fixture.browser.visit('phone', { colorScheme });
      const { page } = visitor;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/logos/*', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(group.checkout_url, { waitUntil: 'domcontentloaded' });
      const image = page.getByRole('img', { name: fixture.merchant.name });
      await image.waitFor();
      const heading = page.getByRole('heading', { level: 1 });
      const before = [await image.boundingBox(), await heading.boundingBox()];
      release();
      expect(await sizeOf(page, '.logo')).toEqual([240, 80]);
      expect([await image.boundingBox(), await heading.boundingBox()]).toEqual(before);
      expect(before[0]?.height).toBe(56);
      const plate = await image.evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(plate).toBe('rgb(255, 255, 255)');
      await visitor.expectAccessible();
      await visitor.screenshot(`checkout-logo-${colorScheme}`);
    },
    TEST_MS,
  );

  it(
    'a page that is opened after the merchant removed its logo has no logo (Q76)',
    async () => {
      await setLogo(GREEN);
      const group = await fixture.newGroup('Dinner without a logo');
      const { page } = await fixture.browser.visit('phone');
      await page.goto(group.checkout_url);
      await page.locator('.logo').waitFor();
      await setLogo(null);
      await eventually(
        async () => !(await (await fetch(group.checkout_url)).text()).includes('<img') || undefined,
      );
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('img').count()).toBe(0);
    },
    TEST_MS,
  );

  it.each(['light', 'dark'] as const)(
    'the widget shows the logo of its merchant in %s mode, which its frame may load (Q76)',
    async (colorScheme) => {
      const file = await setLogo(GREEN);
      const visitor = await fixture.browser.visit('phone', { colorScheme });
      const { page } = visitor;
      // All files have the merchant of the sample shop in common: only this page is told of a logo.
      await page.route('**/embed/v1/admissions*', async (route) => {
        const response = await route.fetch();
        const begun = (await response.json()) as object;
        const logo = { src: `/logos/${file}`, width: 240, height: 80 };
        await route.fulfill({ response, json: { ...begun, logo } });
      });
      await book(page, fixture.shared.stack.shop, 'script');
      const payer = findForm(page);
      await payer.share(1).waitFor();
      const image = payer.form.locator('.logo');
      expect(await image.getAttribute('alt')).toBe(fixture.shared.shopkeeper.name);
      await eventually(
        async () =>
          (await image.evaluate((element: HTMLImageElement) => element.naturalWidth)) === 240 || undefined,
      );
      await visitor.expectAccessible();
      await visitor.screenshot(`widget-logo-${colorScheme}`);
    },
    TEST_MS,
  );
});
