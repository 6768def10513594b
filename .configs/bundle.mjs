import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleName } from '../libs/stack/src/program.ts';
import { listBundledPrograms } from './programs.mjs';

/**
 * `node .configs/bundle.mjs` bundles every program of the services with all it imports, into `dist`. A process then loads
 * some twenty files instead of several hundred, which takes a third of the time. It is one build, so that what several
 * programs load is one file.
 */
const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'dist');

const build = await rolldown({
  input: Object.fromEntries(
    listBundledPrograms(root).map((source) => [bundleName(source), join(root, source)]),
  ),
  platform: 'node',
  // Native code stays where it was installed.
  external: [/^@node-rs\//, 'pg-native'],
  plugins: [
    {
      name: 'keep-locations',
      transform: { filter: { code: /import\.meta\.(dirname|url)/ }, handler: keepLocation },
    },
  ],
});
await build.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name]',
  chunkFileNames: '[name].js',
  cleanDir: true,
});
await build.close();

/** A source that reads files beside it (SQL, pages, guides) finds them from the bundle as well. */
function keepLocation(code, source) {
  if (source.includes('/node_modules/')) return undefined;
  const place = relative(folder, source);
  return code
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(place)}')`)
    .replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
}
