import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from './json.ts';
import type { Page } from './page/page.ts';

const file = resolve(import.meta.dirname, '../openapi.json');

/** Where an installation serves its public interface and its pages for payers: origins without a slash at the end. */
export type Addresses = { readonly api: string; readonly checkout: string };

/**
 * Returns the published document. With `addresses`, its guides and examples name them; without, they have the
 * placeholders `{base_url}` and `{checkout}`.
 */
export async function openApiText(addresses?: Addresses): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!addresses) return text;
  return text
    .replaceAll('{base_url}', () => addresses.api)
    .replaceAll('{checkout}', () => addresses.checkout);
}

export async function openApi(): Promise<JsonObject> {
  return JSON.parse(await openApiText()) as JsonObject;
}

/** Returns the page for readers, whose examples name these addresses. The renderer is loaded with the first request. */
export async function docsPage(addresses: Addresses): Promise<Page> {
  const { renderPage } = await import('./page/page.ts');
  return renderPage(JSON.parse(await openApiText(addresses)) as JsonObject, addresses.api);
}
