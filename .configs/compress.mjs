import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * `node compress.mjs <folder>`: writes `<file>.br` and `<file>.gz` beside every file of a built page that gets shorter by
 * it. The services send these (`readCompressible` of @gp/http), so that no process compresses anything when it starts.
 */
const TEXTS = ['.js', '.css', '.svg', '.json', '.html'];

const folder = process.argv[2] ?? '';
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.includes(extname(entry.name))) continue;
  const path = join(entry.parentPath, entry.name);
  const plain = await readFile(path);
  const forms = [
    ['.br', brotliCompressSync(plain)],
    ['.gz', gzipSync(plain, { level: 9 })],
  ];
  for (const [ending, bytes] of forms) if (bytes.length < plain.length) await writeFile(path + ending, bytes);
}
