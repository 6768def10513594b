import { readFile, rm, writeFile } from 'node:fs/promises';
import { commandLine, goneWithin, readIdentity, isAlive } from './processes.ts';

/**
 * Makes sure that no server uses `dataDir` any more, so that we may.
 *
 * A server whose starter is alive is in use: refused. A server whose starter was killed is an orphan: it is
 * interrupted, and we wait for its end. A process id that was reused by another program is no server of ours: that
 * program is left alone, and the stale file with its id is removed.
 */
export async function takeOver(o: {
  purpose: string;
  pidFile: string;
  ownerFile: string;
  /** Text that the command line of the process must contain for it to be this directory's server. */
  marker: string;
}): Promise<void> {
  const pid = await readPid(o.pidFile);
  if (pid === undefined) return;
  const serving = (await isAlive(pid)) && (await commandLine(pid)).includes(o.marker);
  if (!serving) {
    await rm(o.pidFile, { force: true });
    return;
  }
  const owner = await readFile(o.ownerFile, 'utf8').catch(() => '');
  const ownerPid = Number.parseInt(owner, 10);
  if (ownerPid > 0 && (await isAlive(ownerPid)) && (await readIdentity(ownerPid)) === owner) {
    throw new Error(`${o.purpose} is already being run by process ${ownerPid} (server process ${pid}).`);
  }
  process.kill(pid, 'SIGINT');
  if (!(await goneWithin(pid, 10_000))) {
    process.kill(pid, 'SIGKILL');
    await goneWithin(pid, 5_000);
  }
}

/** Records that the server of this data directory is ours as long as this process lives. */
export async function noteOwner(ownerFile: string): Promise<void> {
  await writeFile(ownerFile, await readIdentity(process.pid));
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}
