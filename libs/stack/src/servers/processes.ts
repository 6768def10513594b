import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Returns whether a process with this id exists, ours or not. A zombie counts as gone. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
  const state = (await statFields(pid))?.[0];
  return state !== 'Z';
}

/** Returns the command line of a process as one string, empty when it is gone or the system does not show it. */
export async function commandLine(pid: number): Promise<string> {
  const bytes = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return bytes.split('\0').join(' ').trim();
}

/**
 * Returns an identity of this very process that no later one shares: process ids are reused, so the start time is
 * part of it. Without /proc it is the id alone.
 */
export async function readIdentity(pid: number): Promise<string> {
  // Field 22 of /proc/<pid>/stat counts from 1 and `statFields` starts at field 3.
  return `${pid} ${(await statFields(pid))?.[19] ?? ''}`.trim();
}

/** Resolves to true when the process is gone, to false when it is still there after `withinMs`. */
export async function goneWithin(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (await isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

async function statFields(pid: number): Promise<string[] | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ');
}
