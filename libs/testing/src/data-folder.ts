import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS = 0x0102_1994;
const ROOM_BYTES = 4 * 1024 ** 3;

/** The folder names the process that made it: what a killed run left behind can be told from what is in use. */
const NAME = /^gp-test-(\d+)-/;

/**
 * Creates a folder for the data of a test's servers; the caller removes it. It is in memory where the machine has 4 GiB of it to
 * spare: a database is hundreds of small files, and creating them on a disk took a seventh of the time of the ledger's component
 * tests. Every account may enter the folder, since Postgres does not run as root.
 */
export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(await placeForData(), `gp-test-${process.pid}-`));
  await chmod(folder, 0o711);
  return folder;
}

/** Removes the folders of runs that were killed before they could: what they hold in memory would stay until a reboot. */
export async function removeAbandonedFolders(): Promise<void> {
  const place = await placeForData();
  for (const name of await readdir(place)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Those of another account are not ours to remove.
    await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function placeForData(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const hasRoom =
    memory?.type === TMPFS &&
    memory.bavail * memory.bsize >= ROOM_BYTES &&
    process.availableMemory() >= ROOM_BYTES;
  return hasRoom ? MEMORY : tmpdir();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
