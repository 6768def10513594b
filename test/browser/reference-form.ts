import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { StackFile } from '../support/stack.ts';
import type { Visitor } from './support.ts';

/** A reader of the page with the paths that it asked the API for. */
export async function openReader(visitor: Visitor, { api }: Pick<StackFile, 'api'>) {
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${api}/docs`);
  return { visitor, page, asked };
}

/** Opens the form of an operation by keyboard. */
export async function openForm(page: Page, operation: string): Promise<Locator> {
  const button = page.locator(`#${operation}`).getByRole('button', { name: 'Try it' });
  await button.focus();
  await page.keyboard.press('Enter');
  const form = page.locator(`#try-${operation}`);
  await form.waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  return form;
}

/** Sends the form with the key, and returns what it says of the answer. */
export async function sendForm(form: Locator, key: string): Promise<string> {
  const field = form.getByLabel('Test key', { exact: true });
  if ((await field.inputValue()) !== key) await field.fill(key);
  await field.press('Enter');
  const status = form.getByRole('status').filter({ hasText: /^Answer \d+/ });
  await status.waitFor();
  return status.innerText();
}

export const readBody = async (form: Locator): Promise<Record<string, unknown>> =>
  JSON.parse(await form.getByLabel('Body of the answer').innerText()) as Record<string, unknown>;
export const readHeader = (form: Locator, name: string): Promise<string> =>
  form.locator(`dt:text-is("${name}") + dd`).innerText();
