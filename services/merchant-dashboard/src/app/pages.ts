import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readCompressible, type Compressible } from '@gp/http';

export type PageFile = Compressible & { readonly type: string };
/** The built web application, by the paths it is served under; `html` is undefined when it was not built. */
export type Pages = { readonly html: string | undefined; readonly files: ReadonlyMap<string, PageFile> };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Reads the built application into memory: it is small, and so no request can name a path on disk. */
export async function readPages(folder: string): Promise<Pages> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, PageFile>();
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length).replaceAll('\\', '/'), { type, ...(await readCompressible(path)) });
  }
  return { html: files.get('/index.html')?.plain.toString('utf8'), files };
}
