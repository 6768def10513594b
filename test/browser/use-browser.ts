import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { brokenPromises } from '../support/promises.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { openDashboardFixture, type DashboardFixture } from './dashboard-fixture.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser } from './support.ts';

/**
 * A stack with these merchants and a browser, for the tests of a file. When they have run, the stack has kept its promises.
 * Both are open from the first test on, and throw before.
 */
export function useBrowser(o: Parameters<typeof openSharedStack>[0]): {
  readonly shared: SharedStack;
  readonly browser: TestBrowser;
} {
  let shared: SharedStack | undefined;
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    shared = await openSharedStack(o);
    browser = await openBrowser();
  }, BROWSER_START_MS);
  afterEach(() => browser?.dismiss());
  afterAll(async () => {
    await browser?.close();
    if (!shared) return;
    expect(await brokenPromises(shared.stack)).toEqual([]);
    await shared.close();
  }, BROWSER_START_MS);
  return { shared: onceOpen(() => shared), browser: onceOpen(() => browser) };
}

/** A merchant's dashboard in a browser, for the tests of a file. It is open from the first test on, and throws before. */
export function useDashboard(): DashboardFixture {
  let fixture: DashboardFixture | undefined;
  beforeAll(async () => {
    fixture = await openDashboardFixture();
  }, BROWSER_START_MS);
  afterEach(() => fixture?.browser.dismiss());
  afterAll(() => fixture?.close(), BROWSER_START_MS);
  return onceOpen(() => fixture);
}

/** Stands for what a hook opens later. */
function onceOpen<T extends object>(find: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_, name) {
      const opened = find();
      if (!opened) throw new Error(`${String(name)} is asked for before it is open`);
      return Reflect.get(opened, name) as unknown;
    },
  });
}
