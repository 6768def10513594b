import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { eventually } from '@gp/testing';
import type { RunOnly } from 'axe-core';
import { root } from '../support/stack.ts';
import { findViolations } from './axe.ts';
import { watchFaults } from './faults.ts';

declare global {
  /** Set by the environment of the tests when the body of the running test has failed. */
  var hasTestFailed: boolean | undefined;
}

/** A phone is 360 px wide, a desktop 1280. */
export type Screen = 'phone' | 'desktop';

const screens = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 800 } },
} satisfies Record<Screen, BrowserContextOptions>;

/** One person before one screen: own cookies and storage, one page to begin with. */
export type Visitor = {
  readonly page: Page;
  /**
   * Says that faults matching this are part of the test: a console error, an exception or a request that failed. An
   * answer from 400 on is a console error with its status and its address.
   */
  expects(fault: RegExp): void;
  /** The faults so far that the test did not expect. */
  faults(): readonly string[];
  /**
   * Takes the network from the visitor's pages, and expects the faults that this causes. Resolves once a request of the
   * page has failed: the browser sends those that follow at once as if nothing had changed.
   */
  loseNetwork(): Promise<void>;
  /** Fails with every accessibility violation on the page and in its frames: what, where, and where to read on. */
  expectAccessible(): Promise<void>;
  /** The same for the rules about colours only: enough for a second theme of a page that differs in nothing else. */
  expectReadableColours(): Promise<void>;
  /** Keeps the whole page as `.data/screenshots/{name}-{screen}.png`, for a person's eye; only with `GP_SCREENSHOTS=1`. */
  screenshot(name: string): Promise<void>;
};

export type TestBrowser = {
  /** A newcomer; options are Playwright's, such as `colorScheme: 'dark'` or `locale: 'es'`. */
  visit(screen: Screen, options?: BrowserContextOptions): Promise<Visitor>;
  /**
   * For `afterEach`: closes all pages, and fails with the faults that no test expected. After a failed test it fails
   * with the text of every page too.
   */
  dismiss(): Promise<void>;
  close(): Promise<void>;
};

/** How long an element may take to appear, ms: the machine may be busy with other tests, or stand still. */
export const PATIENCE_MS = 60_000;

/** The first start may have to install Chromium: what `beforeAll` should allow for it, ms. */
export const BROWSER_START_MS = 240_000;

/** Starts the system's Chromium: one for a test file, closed in `afterAll`. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--disable-dev-shm-usage'],
  });
  let guests: Visitor[] = [];
  const dismiss = async (): Promise<void> => {
    const unexpected = guests.flatMap((guest) => guest.faults());
    guests = [];
    const texts = globalThis.hasTestFailed ? await readPages(browser) : '';
    await Promise.all(browser.contexts().map((context) => context.close()));
    const faults = unexpected.length > 0 ? `The pages had faults:\n${unexpected.join('\n')}\n` : '';
    if (faults + texts !== '') throw new Error(faults + texts);
  };
  return {
    async visit(screen, options = {}) {
      const visitor = await newVisitor(browser, screen, options);
      guests.push(visitor);
      return visitor;
    },
    dismiss,
    close: () => browser.close(),
  };
}

/** Returns the address and the visible text of every page and of the frames in it, with the values of its fields. */
async function readPages(browser: Browser): Promise<string> {
  const frames = browser
    .contexts()
    .flatMap((context) => context.pages())
    .flatMap((page) => page.frames());
  const texts = frames.map(async (frame) => {
    const text = await frame.evaluate(readDocument).catch(String);
    return `${frame.url()} showed:\n${text}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

/** Runs in the browser. */
function readDocument(): string {
  const fields = [...document.querySelectorAll('input')]
    .filter(({ type }) => type !== 'hidden')
    .map(({ id, name, value, checked, type }) => `${id || name}: ${type === 'checkbox' ? checked : value}`);
  const dialogs = [...document.querySelectorAll<HTMLElement>('dialog[open], [role="dialog"]')];
  const texts = dialogs.map(({ innerText }) => `in a dialog: ${innerText}`);
  return [...texts, document.body.innerText, ...fields].join('\n').slice(0, 4_000);
}

/** Where Chromium is; the script installs it where it may. */
async function findChromium(): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', [join(root, '.configs', 'chromium.sh')]);
  return stdout.trim();
}

async function newVisitor(
  browser: Browser,
  screen: Screen,
  options: BrowserContextOptions,
): Promise<Visitor> {
  // Animations are off, so pages are checked and photographed in their final state.
  const still = { locale: 'en-GB', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...screens[screen], ...still, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const watch = watchFaults(context);
  const page = await context.newPage();
  return {
    page,
    expects: watch.expects,
    faults: watch.faults,
    async loseNetwork() {
      watch.expects(/ERR_INTERNET_DISCONNECTED/);
      await context.setOffline(true);
      await eventually(async () => (await page.evaluate(requestFails)) || undefined);
    },
    expectAccessible: () => expectAccessible(page, RULES),
    expectReadableColours: () => expectAccessible(page, COLOUR_RULES),
    async screenshot(name) {
      if (process.env['GP_SCREENSHOTS'] !== '1') return;
      const folder = join(root, '.data', 'screenshots');
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${name}-${screen}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    },
  };
}

/** Runs in the page: whether its own address cannot be had. */
const requestFails = (): Promise<boolean> =>
  fetch(location.href, { cache: 'no-store' }).then(
    () => false,
    () => true,
  );

/** Runs in the page: resolves when no colour or place is on its way to another one. What turns for ever is left out. */
async function transitionsEnd(): Promise<void> {
  const isFinite = ({ effect }: Animation): boolean => Number.isFinite(effect?.getComputedTiming().endTime);
  for (let rest = document.getAnimations().filter(isFinite); rest.length > 0;) {
    await Promise.allSettled(rest.map(({ finished }) => finished));
    rest = document.getAnimations().filter((each) => isFinite(each) && each.playState === 'running');
  }
}

/** Runs in the page: lays out what `content-visibility` leaves out far from the screen, which axe would judge wrongly. */
export function layOutEverything(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
}

/** WCAG 2.2 AA; the tag of 2.2 brings the size of targets, which axe leaves out otherwise. */
const RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOUR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

async function expectAccessible(page: Page, runOnly: RunOnly): Promise<void> {
  // Every page has a heading; one that has not come yet is not judged. That there is none, axe says better.
  const heading = page.locator('h1').first();
  await heading.waitFor({ state: 'attached' }).catch(() => undefined);
  await Promise.all(page.frames().map((frame) => frame.evaluate(transitionsEnd)));
  await page.evaluate(layOutEverything);
  const violations = await findViolations(page, { runOnly });
  const sentences = violations.flatMap(({ id, help, helpUrl, nodes }) => [
    `${id}: ${help} (${helpUrl})`,
    ...nodes.map(({ target, html, any, all, none }) => {
      const why = [...any, ...all, ...none].map((check) => check.message).join('; ');
      return `  at ${target.join(' ')}: ${html}\n    ${why}`;
    }),
  ]);
  if (sentences.length > 0) throw new Error(`${page.url()} is not accessible:\n${sentences.join('\n')}`);
}
