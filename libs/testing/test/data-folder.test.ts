import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createDataFolder, removeAbandonedFolders } from '../src/data-folder.ts';

it('a data folder can be entered by every account and listed by ours alone', async () => {
  const folder = await createDataFolder();
  try {
    expect((await stat(folder)).mode & 0o777).toBe(0o711);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('folders of processes that ended are removed with what is in them, those of living ones stay', async () => {
  const ours = await createDataFolder();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const abandoned = join(dirname(ours), `gp-test-${pid}-Abcdef`);
  const other = join(dirname(ours), `gp-tests-${pid}-of-somebody-else`);
  try {
    await mkdir(join(abandoned, 'cluster', 'base'), { recursive: true });
    await mkdir(other);
    await removeAbandonedFolders();
    const left = await readdir(dirname(ours));
    expect(left).not.toContain(abandoned.split('/').at(-1));
    expect(left).toEqual(expect.arrayContaining([ours, other].map((path) => path.split('/').at(-1))));
  } finally {
    for (const path of [ours, abandoned, other]) await rm(path, { recursive: true, force: true });
  }
});
