import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

const prefix = 'group-payments-data-';
const backReference = 'linked-from';

/**
 * Creates a folder in the temporary folder, which every account can reach, and a link to it at `place`. Removing
 * the link removes the data: folders without their link are cleared by the next call.
 */
export async function linkElsewhere(place: string, account: Account): Promise<void> {
  await clearAbandoned(account);
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await rm(place, { force: true });
  await symlink(folder, place);
  // Written last: a folder without it may be one whose link is not created yet.
  await writeFile(join(folder, backReference), place);
}

async function clearAbandoned(account: Account): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const place = await readFile(join(folder, backReference), 'utf8').catch(() => undefined);
    const owner = (await stat(folder).catch(() => undefined))?.uid;
    if (place === undefined || owner !== account.uid) continue;
    const target = await readlink(place).catch(() => undefined);
    if (target !== folder) await rm(folder, { recursive: true, force: true });
  }
}
