import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../support/stack.ts';
import type { Screen, TestBrowser, Visitor } from './support.ts';

/** One state of a page that has a stored picture. */
export type Look = {
  readonly screen: Screen;
  /** Playwright's options, such as `colorScheme: 'dark'`. */
  readonly options?: BrowserContextOptions;
  /** Takes a new visitor to the state. Resolves when the page shows it. */
  open(visitor: Visitor): Promise<unknown>;
  /** Selectors of what changes while it is looked at, such as a countdown; it is covered. */
  readonly mask?: readonly string[];
  /** What differs in each run and could break lines elsewhere: a text for each selector, written before the screenshot. */
  readonly texts?: Readonly<Record<string, string>>;
};

/** The side of a block, px: an anti-aliased edge does not change its mean colour much, a moved word does. */
const BLOCK_PX = 8;

/** A block has changed when a channel of its mean colour, 0 to 255, differs by more than this. */
const CHANNEL_THRESHOLD = 8;

/** The share of its blocks that a screen may change. */
const BUDGET = 0.005;

/** Screenshots that may differ from the one before until the page counts as restless. */
const MAX_SHOTS = 20;

const PICTURES = join(root, 'test', 'browser', 'looks');
/** Whole screenshots, for a person's eye; from the root of the project. */
const SHOTS = join('.data', 'looks');
const ACCEPT = 'GP_LOOKS=write npm test -- test/browser/looks';

/** The text of every date, which is another one in each run. */
const DATE = '1 January 2030, 12:00';

/**
 * Opens a state and compares its screen, in blocks of 8 x 8 px, with the stored picture. Fails when more blocks have
 * changed than the budget allows, or when there is no picture. With `GP_LOOKS=write` the screen becomes the picture.
 */
export async function expectLook(browser: TestBrowser, name: string, look: Look): Promise<void> {
  const options = { deviceScaleFactor: 1, timezoneId: 'UTC', ...look.options };
  const visitor = await browser.visit(look.screen, options);
  await look.open(visitor);
  const shot = await photograph(visitor.page, look);
  const path = join(SHOTS, `${name}.png`);
  await mkdir(join(root, SHOTS), { recursive: true });
  await writeFile(join(root, path), shot);
  const canvas = await visitor.page.context().newPage();
  const now = await canvas.evaluate(reduceToBlocks, { shot: encode(shot), block: BLOCK_PX });
  if (process.env['GP_LOOKS'] === 'write') return store(name, now);
  const stored = await readFile(join(PICTURES, `${name}.png`)).catch(() => undefined);
  if (!stored) throw new Error(`${name} has no stored picture. Look at ${path}, then accept it: ${ACCEPT}`);
  const pictures = { now, stored: encode(stored), threshold: CHANNEL_THRESHOLD };
  const changed = await canvas.evaluate(measureChange, pictures);
  if (changed > BUDGET) throw new Error(describeChange(name, changed, path));
}

/** Returns the names of stored pictures that belong to none of these states. */
export async function findStalePictures(names: readonly string[]): Promise<string[]> {
  const known = new Set(names.map((name) => `${name}.png`));
  return (await readdir(PICTURES)).filter((file) => !known.has(file));
}

function describeChange(name: string, changed: number, path: string): string {
  return [
    `${name} looks different: ${toPercent(changed)} of its blocks changed, the budget is ${toPercent(BUDGET)}.`,
    `The screen of now: ${path}`,
    `When it is right, accept it: ${ACCEPT}`,
  ].join('\n');
}

const toPercent = (share: number): string => `${(100 * share).toFixed(2)} %`;

const encode = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

async function store(name: string, picture: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await writeFile(join(PICTURES, `${name}.png`), picture.slice(picture.indexOf(',') + 1), 'base64');
}

/** Returns a screenshot of what the viewport shows, once two in a row are the same. */
async function photograph(page: Page, { mask = [], texts = {} }: Look): Promise<Buffer> {
  await Promise.all(page.frames().map((frame) => frame.evaluate(partsAreThere)));
  let before: Buffer = Buffer.alloc(0);
  for (let shots = 0; shots < MAX_SHOTS; shots += 1) {
    for (const frame of page.frames()) await frame.evaluate(writeTexts, { time: DATE, ...texts });
    const shot = await page.screenshot({
      animations: 'disabled',
      mask: page.frames().flatMap((frame) => mask.map((selector) => frame.locator(selector))),
      maskColor: '#808080',
    });
    if (shot.equals(before)) return shot;
    before = shot;
  }
  throw new Error(`${page.url()} does not come to rest: ${MAX_SHOTS} screenshots differ`);
}

/** Runs in the page: resolves when fonts and images are there. */
async function partsAreThere(): Promise<void> {
  await document.fonts.ready;
  const images = [...document.images].filter(({ loading }) => loading !== 'lazy');
  await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
}

/** Runs in the page: writes a text into every element of a selector that has another one. */
function writeTexts(texts: Readonly<Record<string, string>>): void {
  for (const [selector, text] of Object.entries(texts))
    for (const element of document.querySelectorAll(selector))
      if (element.textContent !== text) element.textContent = text;
}

/** Runs in the page: makes a screenshot small, a pixel for each block, and returns it as the address of a PNG. */
async function reduceToBlocks({ shot, block }: { shot: string; block: number }): Promise<string> {
  const image = new Image();
  image.src = shot;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(image.width / block);
  canvas.height = Math.ceil(image.height / block);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

/** Runs in the page: the share of pixels that differ. Pictures of different sizes have nothing in common. */
async function measureChange(o: { now: string; stored: string; threshold: number }): Promise<number> {
  const read = async (source: string): Promise<ImageData> => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  };
  const [now, stored] = [await read(o.now), await read(o.stored)];
  if (now.width !== stored.width || now.height !== stored.height) return 1;
  const changed = new Set<number>();
  now.data.forEach((value, at) => {
    if (Math.abs(value - stored.data[at]!) > o.threshold) changed.add(at >> 2);
  });
  return changed.size / (now.width * now.height);
}
