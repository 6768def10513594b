import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Visitor } from './support.ts';

/** Logs a member of a merchant in by a request, and opens a screen of the dashboard. */
export async function arriveAt(
  visitor: Visitor,
  dashboard: string,
  { person: { email, password }, path }: { person: { email: string; password: string }; path: string },
): Promise<Visitor> {
  const { page } = visitor;
  const login = await page.request.post(`${dashboard}/api/login`, {
    headers: { origin: dashboard },
    data: { email, password },
  });
  if (!login.ok()) throw new Error(`the login answers ${login.status()}: ${await login.text()}`);
  await page.goto(dashboard + path);
  await page.getByRole('link', { name: 'Group Payments, home' }).waitFor();
  await settled(page);
  return visitor;
}

/** Waits until a screen shows what it loaded. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Chooses a file in the menu of a list, and returns its name and its text. */
export async function download(
  page: Page,
  list: string,
  entry: string,
): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: `Download ${list}`, exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry, exact: true }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** The state beside the title of a screen, or the title. */
export const badge = (page: Page, text: string) => page.getByRole('heading', { level: 1 }).getByText(text);
