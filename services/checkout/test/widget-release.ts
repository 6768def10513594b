import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Generated } from '@gp/testing';

/** Raise it with every change of the loader: merchants pin what is out by its address and its hash. */
const VERSION = '1.4.0';

const web = resolve(import.meta.dirname, '../web');
const vite = createRequire(join(web, 'package.json')).resolve('vite/package.json');
const released = join(web, 'widget/generated');
/** Not `.js`: no formatter is to touch what a hash was given out for. */
const SUFFIX = '.loader';

/**
 * Every loader that ever was released and the manifest of their hashes, with the one built from today's source. Throws when
 * today's has the version of an earlier one and is another.
 */
export async function widgetRelease(): Promise<Generated> {
  const loaders = await earlier();
  const built = await build();
  const known = loaders.get(VERSION);
  if (known !== undefined && known !== built)
    throw new Error(`Loader ${VERSION} is out and never changes: what is new needs a new version`);
  loaders.set(VERSION, built);
  const integrity = Object.fromEntries([...loaders].map(([version, code]) => [version, computeHash(code)]));
  const manifest = JSON.stringify({ latest: VERSION, integrity }, null, 2) + '\n';
  return {
    folder: join(web, 'widget'),
    files: { [`generated/${VERSION}${SUFFIX}`]: built, 'generated/manifest.json': manifest },
    readme: { pinned: pinned(computeHash(built)) },
  };
}

async function earlier(): Promise<Map<string, string>> {
  const files = (await readdir(released).catch(() => [])).filter((file) => file.endsWith(SUFFIX)).sort();
  const texts = files.map(
    async (file) => [file.slice(0, -SUFFIX.length), await readFile(join(released, file), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-widget-'));
  try {
    const args = [
      join(vite, '../bin/vite.js'),
      'build',
      '--config',
      'vite.widget.config.ts',
      '--outDir',
      folder,
      '--logLevel',
      'error',
    ];
    await promisify(execFile)(process.execPath, args, { cwd: web });
    return await readFile(join(folder, 'widget.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const computeHash = (code: string): string => `sha384-${createHash('sha384').update(code).digest('base64')}`;

const pinned = (hash: string): string => `\`\`\`html
<script
  src="https://pay.example/widget/${VERSION}/widget.js"
  integrity="${hash}"
  crossorigin="anonymous"
></script>
\`\`\``;
