import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Route } from '@gp/http';

const source = join(import.meta.dirname, '..');
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/**
 * Returns the files that every page of the sandbox may load: the shared modules, their imports from the domain,
 * and the style sheet.
 */
export function assetRoutes(): Route[] {
  const styles = readFileSync(join(source, 'browser/page.css'), 'utf8');
  return [
    ...serveModules(join(source, 'browser'), '/assets/browser'),
    asset('/assets/domain/card-number.ts', JAVASCRIPT, readScript(join(source, 'domain/card-number.ts'))),
    asset('/assets/browser/page.css', 'text/css; charset=utf-8', styles),
  ];
}

/** Serves the modules of a folder below a path, each without its types. */
export function serveModules(folder: string, path: string): Route[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => asset(`${path}/${name}`, JAVASCRIPT, readScript(join(folder, name))));
}

/**
 * Serves modules as one classic script, because a page expects a library to be ready when its script has loaded.
 * The files must be in the order of their dependencies; their exports share one scope.
 */
export function serveClassicScript(files: readonly string[], path: string): Route {
  const parts = files.map((file) =>
    readScript(file)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, ''),
  );
  return asset(path, JAVASCRIPT, `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`);
}

const readScript = (file: string): string => stripTypeScriptTypes(readFileSync(file, 'utf8'));

const asset = (path: string, contentType: string, body: string): Route => ({
  method: 'GET',
  path,
  handle: () =>
    // Any page may load them: a gateway's browser library is made for that.
    Promise.resolve({
      status: 200,
      contentType,
      body,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    }),
});
