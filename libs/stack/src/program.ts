import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/**
 * Returns the file to start for the program with this source: its bundle in the folder `GP_BUNDLES`, which the npm
 * scripts build before they start anything, otherwise the source itself.
 */
export function programFile(source: string): string {
  const folder = process.env['GP_BUNDLES'];
  if (folder === undefined) return source;
  const bundle = join(folder, bundleName(relative(root, source)));
  return existsSync(bundle) ? bundle : source;
}

/**
 * The name of a program's bundle: `group-ledger.main.js` of `services/group-ledger/src/main.ts`.
 *
 * @param source relative to the root
 */
export function bundleName(source: string): string {
  const [service = ''] = source.split('/src/');
  return `${basename(service)}.${basename(source, '.ts')}.js`;
}
