import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';

const sources = globSync('src/*.ts', { cwd: import.meta.dirname });

/** One file for each entry; what two entries need is a file beside them. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: Object.fromEntries(sources.map((file) => [basename(file, '.ts'), file])),
  platform: 'node',
  resolve: { alias: { tweetnacl: join(import.meta.dirname, 'replaced/tweetnacl.ts') } },
  output: { dir: 'dist', format: 'esm', cleanDir: true },
});
