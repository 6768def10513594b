import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes JSON that only its owner may read, in one step: readers see the old file or the new one, never a part.
 */
export async function writePrivate(file: string, value: unknown): Promise<void> {
  const fresh = `${file}.new`;
  // A leftover file would keep its own permissions.
  await rm(fresh, { force: true });
  await writeFile(fresh, JSON.stringify(value, null, 2) + '\n', { mode: 0o600 });
  await rename(fresh, file);
}
