import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Route } from '@gp/http';

const source = join(import.meta.dirname, '..');

/** What browsers load as it stands, but for its types: the modules of a page and what they share with the sandbox. */
const modules = readdirSync(join(source, 'browser'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => `browser/${name}`)
  .concat('domain/card-number.ts');

/** The parts of `window.Stripe` in the order in which they need one another. */
const stripeParts = ['errors', 'element', 'challenge', 'stripe'].map((name) => `browser/stripe/${name}.ts`);

const script = (path: string): string => stripTypeScriptTypes(readFileSync(join(source, path), 'utf8'));

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Everything that the sandbox's pages load, and the script that other pages load from it. */
export function assetRoutes(): Route[] {
  const styles = readFileSync(join(source, 'browser/page.css'), 'utf8');
  return [
    ...modules.map((path) => asset(`/assets/${path}`, JAVASCRIPT, script(path))),
    asset('/assets/browser/page.css', 'text/css; charset=utf-8', styles),
    asset('/gateway_a/js', JAVASCRIPT, classicScript(stripeParts)),
  ];
}

const asset = (path: string, contentType: string, body: string): Route => ({
  method: 'GET',
  path,
  handle: () =>
    // Any page may load them: the library of gateway_a is made for that.
    Promise.resolve({
      status: 200,
      contentType,
      body,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    }),
});

/**
 * Modules as one classic script, because a page expects the library to be there when its script has loaded. What they
 * import from one another stands in one scope.
 */
function classicScript(paths: readonly string[]): string {
  const parts = paths.map((path) =>
    script(path)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}
