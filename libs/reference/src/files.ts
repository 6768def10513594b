import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from './json.ts';
import type { Page } from './page/page.ts';

const file = resolve(import.meta.dirname, '../openapi.json');

/** Returns the published document, word for word. */
export function openApiText(): Promise<string> {
  return readFile(file, 'utf8');
}

export async function openApi(): Promise<JsonObject> {
  return JSON.parse(await openApiText()) as JsonObject;
}

/** Returns the page for readers. The renderer is loaded with the first request. */
export async function docsPage(): Promise<Page> {
  const { renderPage } = await import('./page/page.ts');
  return renderPage(await openApi());
}
