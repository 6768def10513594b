import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * `npm run clients -- cli [folder]` writes `dist`, or another folder, which is packed and
 * published: one file for Node 20 and newer with all that it imports, so that `npx` has nothing else to install.
 */
const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
const { name, version, description, license } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
) as Record<string, string>;

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const build = await rolldown({ input: join(here, 'src/main.ts'), platform: 'node' });
await build.write({ file: join(dist, 'gp.js'), format: 'esm', comments: { legal: true } });
await build.close();
chmodSync(join(dist, 'gp.js'), 0o755);
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'));
copyFileSync(join(here, '../../LICENSE'), join(dist, 'LICENSE'));
copyFileSync(new URL('LICENSE', import.meta.resolve('commander')), join(dist, 'LICENSE.commander'));
const published = {
  name,
  version,
  description,
  license,
  keywords: ['payments', 'group payments', 'webhooks', 'cli'],
  type: 'module',
  engines: { node: '>=20' },
  bin: { gp: 'gp.js' },
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
