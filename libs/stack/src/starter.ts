import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goneWithin, readIdentity, isAlive } from './servers/processes.ts';

/** Longer than the time that services, and the servers after them, have to end by themselves. */
const STOPPED_WITHIN_MS = 90_000;

const getStarterFile = (dataDir: string): string => join(dataDir, 'starter');

/** Returns the process that keeps the stack of a data folder up; `undefined` when none does. */
export async function findStarter(dataDir: string): Promise<number | undefined> {
  const noted = await readFile(getStarterFile(dataDir), 'utf8').catch(() => '');
  const pid = Number.parseInt(noted, 10);
  return pid > 0 && (await isAlive(pid)) && (await readIdentity(pid)) === noted ? pid : undefined;
}

/**
 * Records that this process keeps the stack of a data folder up, until the returned function is called. Rejects
 * when another process does.
 */
export async function noteStarter(dataDir: string): Promise<() => Promise<void>> {
  const other = await findStarter(dataDir);
  if (other !== undefined)
    throw new Error(`process ${other} runs the stack of ${dataDir} already; "npm stop" ends it`);
  await mkdir(dataDir, { recursive: true });
  await writeFile(getStarterFile(dataDir), await readIdentity(process.pid), { mode: 0o600 });
  return () => rm(getStarterFile(dataDir), { force: true });
}

/** Stops the stack of a data folder, wherever it was started, and waits until it is gone. Rejects when it stays. */
export async function stopStarted(dataDir: string, say: (line: string) => void): Promise<void> {
  const pid = await findStarter(dataDir);
  if (pid === undefined)
    return say(`No stack of ${dataDir} is running. GP_DATA_DIR names the folder of another one.`);
  const begun = Date.now();
  process.kill(pid, 'SIGTERM');
  if (!(await goneWithin(pid, STOPPED_WITHIN_MS)))
    throw new Error(`process ${pid} is still stopping the stack of ${dataDir}`);
  say(`Stopped process ${pid} and all it had started, in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
  say(`The data stays in ${dataDir}.`);
}
