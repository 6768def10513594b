import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { docsPage, docsTryItScript } from '@gp/reference';
import { project } from '../project-files.ts';
import type { Audience } from './promise.ts';

/** A file as a browser gets it. */
export type BuiltFile = { readonly name: string; readonly kind: 'script' | 'style'; readonly text: string };

const WEB = 'services/checkout/web';

/** What browsers load of each kind of pages: built files, and those that are served without their types. */
const FILES: Readonly<Record<Audience, readonly string[]>> = {
  payers: [`${WEB}/dist/client/*.{js,css}`, `${WEB}/dist/organiser/*.{js,css}`],
  merchants: [
    'services/merchant-dashboard/web/dist/assets/*.{js,css}',
    'services/psp-sandbox/src/browser/*.{ts,css}',
    'services/psp-sandbox/src/domain/card-number.ts',
    'services/gateway-adapters/*/sandbox/browser/**/*.ts',
  ],
};

/** Returns every file that browsers load of these pages; throws when the pages are not built. */
export async function readBuiltFiles(audience: Audience): Promise<readonly BuiltFile[]> {
  const found = FILES[audience].map((pattern) => globSync(pattern, { cwd: project }));
  const empty = FILES[audience].filter((_, at) => found[at]?.length === 0);
  if (empty.length > 0) throw new Error(`${empty.join(' and ')} do not exist: npm run build`);
  const files = found
    .flat()
    .filter((path) => !path.endsWith('.test.ts'))
    .map(readBuilt);
  return [...files, ...(audience === 'payers' ? [readLoader()] : await readReference())];
}

/** The name has no hash, so that a list of exceptions stays true. */
function readBuilt(path: string): BuiltFile {
  const text = readFileSync(join(project, path), 'utf8');
  return {
    name: path.replace(/-[\w-]{8}(?=\.(js|css)$)/, ''),
    kind: path.endsWith('.css') ? 'style' : 'script',
    text: path.endsWith('.ts') ? stripTypeScriptTypes(text) : text,
  };
}

/** The newest loader: those before it are out and never change. */
function readLoader(): BuiltFile {
  const folder = `${WEB}/widget/generated`;
  const { latest } = JSON.parse(readFileSync(join(project, folder, 'manifest.json'), 'utf8')) as {
    latest: string;
  };
  return { ...readBuilt(`${folder}/${latest}.loader`), name: `${folder}/latest.loader` };
}

/** The reference at `/docs`: what its document brings, and the script that it loads. */
async function readReference(): Promise<readonly BuiltFile[]> {
  const home = 'https://pay.example';
  const { html } = await docsPage({ api: home, checkout: home, nowMs: 0 });
  const parts = [
    ...[...html.matchAll(/<style>([^]*?)<\/style>/g)].map(
      ([, text = '']) => ({ kind: 'style', text }) as const,
    ),
    ...[...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
      ([, text = '']) => ({ kind: 'script', text }) as const,
    ),
    { kind: 'script', text: await docsTryItScript() } as const,
  ];
  return parts.map((part) => ({ name: '/docs', ...part }));
}
