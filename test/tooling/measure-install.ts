import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { project, readProjectFile } from './project-files.ts';

/** Set-up deletes it after each install. */
const HEADERS = /node_modules\/node-linux-[^/]+\/include$/;
const BLOCK = 512;

type Locked = { readonly dev?: boolean; readonly link?: boolean };

/**
 * Returns the size on disk, as `du -m` counts it, and the names of the packages that an install on this machine has, from
 * the lock file and from what is installed here; with `onlyToRun` of those that running the product needs.
 */
export async function measureInstall({ onlyToRun }: { readonly onlyToRun: boolean }) {
  const { packages } = JSON.parse(await readProjectFile('package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  // Packages of other platforms are in the lock file and not here.
  const paths = Object.entries(packages)
    .filter(
      ([path, { dev = false, link = false }]) =>
        path.includes('node_modules/') && !link && !(onlyToRun && dev),
    )
    .map(([path]) => path)
    .filter((path) => existsSync(join(project, path)));
  let bytes = 0;
  for (const path of paths) bytes += await sizeOf(join(project, path));
  return {
    megabytes: bytes / 1024 ** 2,
    packages: paths.map((path) => path.replace(/^.*node_modules\//, '')),
  };
}

/** The blocks of a folder, without the packages that are nested in it. */
async function sizeOf(path: string): Promise<number> {
  if (HEADERS.test(path)) return 0;
  const { blocks } = await lstat(path);
  const entries = await readdir(path, { withFileTypes: true });
  const sizes = entries
    .filter(({ name }) => name !== 'node_modules')
    .map(async (entry) => {
      const inside = join(path, entry.name);
      return entry.isDirectory() ? sizeOf(inside) : (await lstat(inside)).blocks * BLOCK;
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, blocks * BLOCK);
}
