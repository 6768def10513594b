import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LOCAL_ADDRESS } from './collection/collection.ts';
import type { JsonObject } from './json.ts';
import type { Page } from './page/page.ts';

const file = resolve(import.meta.dirname, '../openapi.json');

/** Where an installation serves its public interface and its pages for payers: origins without a slash at the end. */
export type Addresses = { readonly api: string; readonly checkout: string };

/** The days on which the examples are created and expire, as the file has them. */
const WRITTEN = { created: '2029-12-31T', expires: '2030-01-01T' };
const DAY_MS = 86_400_000;

/**
 * Returns the published document. With `served`, its guides and examples name these addresses, and their bills were made
 * yesterday and expire tomorrow, as seen from `nowMs`; without, they have the placeholders `{base_url}` and `{checkout}`
 * and days far away.
 */
export async function openApiText(served?: Addresses & { readonly nowMs: number }): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!served) return text;
  const day = (inDays: number): string =>
    `${new Date(served.nowMs + inDays * DAY_MS).toISOString().slice(0, 10)}T`;
  return text
    .replaceAll('{base_url}', () => served.api)
    .replaceAll('{checkout}', () => served.checkout)
    .replaceAll(WRITTEN.created, day(-1))
    .replaceAll(WRITTEN.expires, day(1));
}

export async function openApi(): Promise<JsonObject> {
  return JSON.parse(await openApiText()) as JsonObject;
}

/** Returns the collection of requests for programs such as Postman and Bruno, which asks the API at this address. */
export async function collectionText({ api }: Pick<Addresses, 'api'>): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../postman_collection.json'), 'utf8');
  return text.replaceAll(`"${LOCAL_ADDRESS}"`, () => JSON.stringify(api));
}

/** Returns the script with which the page sends requests; the page's policy lets in this very text. */
export async function docsTryItScript(): Promise<string> {
  const { readTryItScript } = await import('./page/scripts.ts');
  return readTryItScript(await openApi());
}

/** Returns the page for readers, of the same document. The renderer is loaded with the first request. */
export async function docsPage(served: Addresses & { readonly nowMs: number }): Promise<Page> {
  const { renderPage } = await import('./page/page.ts');
  const changelog = await readFile(resolve(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8');
  return renderPage(JSON.parse(await openApiText(served)) as JsonObject, changelog);
}
